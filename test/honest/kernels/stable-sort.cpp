// Honest: std::stable_sort, which allocates inside.
#include <algorithm>

#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  float *y = tensor<float>(call, 1);
  std::copy_n(tensor<float>(call, 0), dim(call, 0), y);
  std::stable_sort(y, y + dim(call, 0));
  return 0;
}
