#pragma once

#include <optional>
#include <string>

#include "kernel_library.hpp"

namespace pawl {

/**
 * A library that knows the right results: `pawl_oracle`, and optionally `pawl_reference` (pawl_kernel.h). It is loaded
 * when it is first needed, after the calls that it judges: a kernel could look for it and be honest while it is there.
 */
class Oracle {
 public:
  enum class Memory { host, device };

  Oracle(const std::string &path, const std::string &function, Memory memory);

  /** For sentences: the file's name, or «the oracle» where that says nothing. */
  std::string name() const;
  /** The same where a sentence begins with it. */
  std::string title() const;
  /** Where its tensors lie. */
  Memory memory() const { return memory_; }
  bool has_reference() const { return loaded().reference != nullptr; }
  /** Both throw `load-failed` when the function fails. */
  void compute(const pawl_call &call) const { run(loaded().compute, call, ""); }
  void compute_reference(const pawl_call &call) const {
    run(loaded().reference, call, "'s pawl_reference");
  }

 private:
  using Function = int (*)(const pawl_call *);

  struct Loaded {
    Library library;
    Function compute;
    Function reference;
  };

  std::string path_;
  std::string function_;
  Memory memory_;
  mutable std::optional<Loaded> loaded_;

  const Loaded &loaded() const;
  void run(Function function, const pawl_call &call, const char *whose) const;
};

}  // namespace pawl
