// Honest: plain C, with an array of variable length on the stack.
#include <math.h>

#include "pawl_kernel.h"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const float *x = call->tensors[0].data;
  float *y = call->tensors[1].data;
  const int64_t D = call->dims[3].value;
  const int64_t rows = call->dims[0].value * call->dims[1].value * call->dims[2].value;
  for (int64_t row = 0; row < rows; row++, x += D, y += D) {
    float weights[D], largest = x[0], sum = 0;
    for (int64_t i = 1; i < D; i++) largest = fmaxf(largest, x[i]);
    for (int64_t i = 0; i < D; i++) sum += weights[i] = expf(x[i] - largest);
    for (int64_t i = 0; i < D; i++) y[i] = weights[i] / sum;
  }
  return 0;
}
