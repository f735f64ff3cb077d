#pragma once

#include "element.hpp"
#include "problem.hpp"

namespace pawl {

/** The tensor as functions in Python judge it: in 64 bits. Frameworks select by booleans, and not by integers. */
inline TensorSpec widened(TensorSpec tensor) {
  if (tensor.dtype != PAWL_BOOL) tensor.dtype = widest(tensor.dtype);
  tensor.bytes = tensor.elements * dtype_bytes(tensor.dtype);
  return tensor;
}

}  // namespace pawl
