// Honest: f16 in and out, f32 in between.
#include <cmath>

#include "../tensors.hpp"
#include "pawl_half.h"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  for (int64_t i = 0; i < dim(call, 0); i++) {
    const float x = static_cast<float>(tensor<pawl_half>(call, 0)[i]);
    tensor<pawl_half>(call, 1)[i] = static_cast<pawl_half>(0.5f * x * std::erfc(-x * std::sqrt(0.5f)));
  }
  return 0;
}
