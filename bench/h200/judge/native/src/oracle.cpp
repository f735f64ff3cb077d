#include <cmath>

#include "pawl_kernel.h"

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  const auto *x = static_cast<const double *>(call->tensors[0].data);
  auto *y = static_cast<double *>(call->tensors[1].data);
  for (int64_t i = 0; i < call->dims[0].value; ++i) y[i] = x[i] / (1 + std::fabs(x[i]));
  return 0;
}
