#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fields.hpp"
#include "pawl_kernel.h"

namespace pawl {

/** A number that kernels and oracles get beside the tensors, rounded to its type. */
struct Scalar {
  std::string name;
  pawl_dtype dtype;
  double value;
  /** The value of an integer type; 0 of a floating one. */
  std::int64_t integer;
};

/** The `scalars` of a request, each with `name`, `dtype` and `value`; none where there are none. */
std::vector<Scalar> read_scalars(const Fields &request);
Json scalars_json(const std::vector<Scalar> &scalars);

/** As kernels and oracles get them. The names are those of `scalars`, which must live as long. */
std::vector<pawl_scalar> scalars_of(const std::vector<Scalar> &scalars);

}  // namespace pawl
