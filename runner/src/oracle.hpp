#pragma once

#include <string>

#include "kernel_library.hpp"

namespace pawl {

/** A library that knows the right results: `pawl_oracle`, and optionally `pawl_reference` (pawl_kernel.h). */
class Oracle {
 public:
  enum class Memory { host, device };

  Oracle(const std::string &path, const std::string &function, Memory memory);

  std::string name() const { return library_.name(); }
  /** Where its tensors lie. */
  Memory memory() const { return memory_; }
  bool has_reference() const { return reference_ != nullptr; }
  /** Both throw `load-failed` when the function fails. */
  void compute(const pawl_call &call) const { run(compute_, call, ""); }
  void compute_reference(const pawl_call &call) const { run(reference_, call, "'s pawl_reference"); }

 private:
  using Function = int (*)(const pawl_call *);

  Library library_;
  Memory memory_;
  Function compute_;
  Function reference_;

  void run(Function function, const pawl_call &call, const char *whose) const;
};

}  // namespace pawl
