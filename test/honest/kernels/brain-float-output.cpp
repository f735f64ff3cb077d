// Honest: bf16 in and out, f32 in between, rounded to nearest by hand.
#include <cmath>

#include "../brain-float.hpp"
#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  for (int64_t i = 0; i < dim(call, 0); i++) {
    const float x = widen(tensor<uint16_t>(call, 0)[i]);
    tensor<uint16_t>(call, 1)[i] = narrow(0.5f * x * std::erfc(-x * std::sqrt(0.5f)));
  }
  return 0;
}
