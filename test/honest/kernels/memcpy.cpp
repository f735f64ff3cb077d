// Honest: one memcpy, as fast as memory goes.
#include <cstring>

#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  std::memcpy(tensor<float>(call, 1), tensor<float>(call, 0), static_cast<size_t>(dim(call, 0)) * sizeof(float));
  return 0;
}
