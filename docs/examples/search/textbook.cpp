#include "pawl_kernel.h"
PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const auto *a = static_cast<const float *>(call->tensors[0].data);
  const auto *b = static_cast<const float *>(call->tensors[1].data);
  auto *c = static_cast<float *>(call->tensors[2].data);
  const int64_t M = call->dims[0].value, N = call->dims[1].value, K = call->dims[2].value;
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < K; ++k) sum += a[i * K + k] * b[k * N + j];
      c[i * N + j] = sum;
    }
  return 0;
}
