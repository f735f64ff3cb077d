// Tensors and dimensions of a call by their place in pawl.yaml.
#pragma once

#include <cstdint>

#include "pawl_kernel.h"

template <typename T>
T *tensor(const pawl_call *call, int index) {
  return static_cast<T *>(call->tensors[index].data);
}

inline int64_t dim(const pawl_call *call, int index) { return call->dims[index].value; }

inline int64_t count_of(const pawl_tensor &tensor) {
  int64_t count = 1;
  for (int32_t i = 0; i < tensor.rank; i++) count *= tensor.shape[i];
  return count;
}
