#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "device.hpp"
#include "json.hpp"
#include "problem.hpp"
#include "rules.hpp"

namespace pawl {

/** The error of a trusted implementation in the same precision, on the same inputs. Infinite where it is NaN. */
struct ReferenceError {
  double max_abs_err;
  double rms_err;
};

/** How one output compared with the oracle. */
struct TensorComparison {
  /** Elements that are wrong; 0 where no more are than the rules' share excuses. */
  std::size_t mismatches = 0;
  double max_abs_err = 0;
  double rms_err = 0;
  /** Whether the error as a whole is more than the reference's, times the factor, excuses. */
  bool less_precise = false;
  /** `verifiedTensorSchema` in src/model/correctness/verification.ts. */
  Json json;
  /** What is worst: "[0, 3]: 1.5 where 0.25 is right". Empty where everything is exact. */
  std::string worst;
};

/** `got` is the kernel's output in its own type, `want` what is right in f64 or i64; both lie on the device. */
TensorComparison compare(Device &device, const TensorSpec &tensor, const void *got, const void *want,
                         const Rules &rules, const std::optional<ReferenceError> &reference);

/** An error that the reference's own excuses. */
double excused_error(const Rules &rules, const std::optional<ReferenceError> &reference);

}  // namespace pawl
