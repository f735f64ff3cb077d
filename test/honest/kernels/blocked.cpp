// Honest: a matrix product in blocks that fit into the first cache.
#include <algorithm>

#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  constexpr int64_t BLOCK = 32;
  const int64_t M = dim(call, 0), N = dim(call, 1), K = dim(call, 2);
  const float *a = tensor<float>(call, 0), *b = tensor<float>(call, 1);
  float *c = tensor<float>(call, 2);
  std::fill_n(c, M * N, 0.0f);
  for (int64_t k0 = 0; k0 < K; k0 += BLOCK)
    for (int64_t j0 = 0; j0 < N; j0 += BLOCK)
      for (int64_t i = 0; i < M; i++)
        for (int64_t k = k0; k < std::min(K, k0 + BLOCK); k++)
          for (int64_t j = j0; j < std::min(N, j0 + BLOCK); j++) c[i * N + j] += a[i * K + k] * b[k * N + j];
  return 0;
}
