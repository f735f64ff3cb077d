// counts[v] = how often v occurs in x; the values are 0 to 255.
#include "../tensors.hpp"

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  int64_t *counts = tensor<int64_t>(call, 1);
  for (int i = 0; i < 256; i++) counts[i] = 0;
  for (int64_t i = 0; i < dim(call, 0); i++) counts[tensor<int64_t>(call, 0)[i]]++;
  return 0;
}
