#pragma once

#include <optional>
#include <string>

#include "kernel_library.hpp"
#include "oracle.hpp"

namespace pawl {

/** A library with `pawl_oracle`, and optionally `pawl_reference` (pawl_kernel.h), loaded into the judge. */
class LibraryOracle final : public Oracle {
 public:
  /** `sha256`: what its bytes must hash to; empty: anything. */
  LibraryOracle(const std::string &path, const std::string &sha256, const std::string &function, Memory memory);

  /** The file's name, or "the oracle" where that says nothing. */
  std::string name() const override;
  bool has_reference() const override { return loaded().reference != nullptr; }
  OracleResults run(Device &device, const Problem &problem, const KeptTensors &inputs,
                    bool with_reference) const override;

  /** The name where a sentence begins with it. */
  std::string title() const;
  /** Both throw `load-failed` when the function fails. */
  void compute(const pawl_call &call) const { run(loaded().compute, call, ""); }
  void compute_reference(const pawl_call &call) const { run(loaded().reference, call, "'s pawl_reference"); }

 private:
  using Function = int (*)(const pawl_call *);

  struct Loaded {
    Library library;
    Function compute;
    Function reference;
  };

  std::string path_;
  std::string sha256_;
  std::string function_;
  Memory memory_;
  mutable std::optional<Loaded> loaded_;

  const Loaded &loaded() const;
  void run(Function function, const pawl_call &call, const char *whose) const;
};

}  // namespace pawl
