// Honest: a sum by halves.
#include "../tensors.hpp"

static float sum(const float *x, int64_t count) {
  if (count > 8) return sum(x, count / 2) + sum(x + count / 2, count - count / 2);
  float result = 0;
  for (int64_t i = 0; i < count; i++) result += x[i];
  return result;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  *tensor<float>(call, 1) = sum(tensor<float>(call, 0), dim(call, 0));
  return 0;
}
