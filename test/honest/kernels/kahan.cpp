// Honest: a compensated sum, more exact than plain addition in the same precision.
#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  float sum = 0, lost = 0;
  for (int64_t i = 0; i < dim(call, 0); i++) {
    const float next = tensor<float>(call, 0)[i] - lost, grown = sum + next;
    lost = (grown - sum) - next;
    sum = grown;
  }
  *tensor<float>(call, 1) = sum;
  return 0;
}
