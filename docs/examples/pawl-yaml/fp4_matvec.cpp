#include "pawl_kernel.h"

static const float VALUES[] = {0, .5f, 1, 1.5f, 2, 3, 4, 6, 0, -.5f, -1, -1.5f, -2, -3, -4, -6};

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const float *x = (const float *)call->tensors[0].data, *scales = (const float *)call->tensors[2].data;
  const uint8_t *w = (const uint8_t *)call->tensors[1].data;
  float *y = (float *)call->tensors[3].data;
  const int64_t n = call->dims[0].value, k = call->dims[1].value;
  for (int64_t row = 0; row < n; ++row) {
    float sum = 0;
    for (int64_t i = 0; i < k; i += 2) {
      const uint8_t both = w[(row * k + i) / 2];
      sum += scales[(row * k + i) / 16] * (VALUES[both & 15] * x[i] + VALUES[both >> 4] * x[i + 1]);
    }
    y[row] = sum;
  }
  return 0;
}
