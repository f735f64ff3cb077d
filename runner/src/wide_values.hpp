#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "element.hpp"

namespace pawl {

/** A tensor on the host without any rounding: f64 for floating point (of complex elements, both parts in turn), i64 for integers (of u64, the bits). */
struct WideValues {
  std::vector<double> floating;
  std::vector<std::int64_t> integers;
};

/** From any type of pawl_kernel.h. */
inline WideValues widen_values(const void *data, pawl_dtype dtype, std::size_t count) {
  WideValues wide;
  if (is_floating(dtype)) {
    wide.floating.resize(count * part_count(dtype));
    for (std::size_t i = 0; i < wide.floating.size(); ++i) wide.floating[i] = load_floating(data, part_dtype(dtype), i);
  } else {
    wide.integers.resize(count);
    for (std::size_t i = 0; i < count; ++i) wide.integers[i] = load_integer(data, dtype, i);
  }
  return wide;
}

}  // namespace pawl
