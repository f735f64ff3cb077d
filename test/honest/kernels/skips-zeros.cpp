// Honest: leaves out products with elements that are zero, so that its time depends on the contents.
#include <algorithm>

#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const int64_t M = dim(call, 0), N = dim(call, 1), K = dim(call, 2);
  const float *b = tensor<float>(call, 1);
  for (int64_t i = 0; i < M; i++) {
    const float *a = tensor<float>(call, 0) + i * K;
    float *c = tensor<float>(call, 2) + i * N;
    std::fill_n(c, N, 0.0f);
    for (int64_t k = 0; k < K; k++)
      if (a[k] != 0)
        for (int64_t j = 0; j < N; j++) c[j] += a[k] * b[k * N + j];
  }
  return 0;
}
