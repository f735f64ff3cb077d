#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "json.hpp"
#include "problem.hpp"

namespace pawl {

struct Tolerance {
  double atol;
  double rtol;
};

/** How one output compared with the oracle: `tensorCheckSchema` in src/model/check.ts. */
struct TensorComparison {
  std::size_t mismatches = 0;
  Json json;
};

/** `got` is the kernel's output in its own type, on the host. */
TensorComparison compare_floating(const TensorSpec &tensor, const void *got, const std::vector<double> &want,
                                  Tolerance tolerance);
TensorComparison compare_integers(const TensorSpec &tensor, const void *got, const std::vector<std::int64_t> &want,
                                  Tolerance tolerance);

}  // namespace pawl
