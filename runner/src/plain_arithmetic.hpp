#pragma once

#include <cfenv>

namespace pawl {

/**
 * The runner's own arithmetic, whatever rounding mode or flushing of subnormal numbers a kernel has set: a shared
 * library that was linked with -ffast-math sets both for the process that loads it. What was set is put back.
 */
class PlainArithmetic {
 public:
  PlainArithmetic() {
    std::fegetenv(&found_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~PlainArithmetic() { std::fesetenv(&found_); }
  PlainArithmetic(const PlainArithmetic &) = delete;
  PlainArithmetic &operator=(const PlainArithmetic &) = delete;

 private:
  std::fenv_t found_;
};

}  // namespace pawl
