#pragma once

#include <vector>

#include "element.hpp"
#include "problem.hpp"

namespace pawl {

/** The tensor as functions in Python judge it: in 64 bits. Frameworks select by booleans, and not by integers. */
inline TensorSpec widened(TensorSpec tensor) {
  if (tensor.dtype != PAWL_BOOL) tensor.dtype = widest(tensor.dtype);
  tensor.bytes = tensor.elements * dtype_bytes(tensor.dtype);
  return tensor;
}

inline std::vector<unsigned char> widened_bytes(const TensorSpec &tensor, const std::vector<unsigned char> &bytes) {
  const TensorSpec wide = widened(tensor);
  std::vector<unsigned char> values(wide.bytes);
  for (std::size_t i = 0; i < wide.elements; ++i)
    widen_element(values.data(), wide.dtype, bytes.data(), tensor.dtype, i);
  return values;
}

}  // namespace pawl
