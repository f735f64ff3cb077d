#include "pawl_kernel.h"
PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  const auto *a = static_cast<const double *>(call->tensors[0].data);
  const auto *b = static_cast<const double *>(call->tensors[1].data);
  auto *c = static_cast<double *>(call->tensors[2].data);
  const int64_t M = call->dims[0].value, N = call->dims[1].value, K = call->dims[2].value;
  for (int64_t at = 0; at < M * N; ++at) {
    c[at] = 0;
    for (int64_t k = 0; k < K; ++k) c[at] += a[at / N * K + k] * b[k * N + at % N];
  }
  return 0;
}
