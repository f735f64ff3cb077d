// The mean of the squares of each row of [R, L].
#include <cstdint>

#include "pawl_kernel.h"

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  const double *x = static_cast<const double *>(call->tensors[0].data);
  double *y = static_cast<double *>(call->tensors[1].data);
  const int64_t R = call->dims[0].value, L = call->dims[1].value;
  for (int64_t row = 0; row < R; row++, x += L) {
    double sum = 0;
    for (int64_t i = 0; i < L; i++) sum += x[i] * x[i];
    y[row] = sum / static_cast<double>(L);
  }
  return 0;
}
