// Honest: accumulates in double what it returns in float.
#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const int64_t M = dim(call, 0), N = dim(call, 1), K = dim(call, 2);
  for (int64_t i = 0; i < M; i++)
    for (int64_t j = 0; j < N; j++) {
      double sum = 0;
      for (int64_t k = 0; k < K; k++)
        sum += static_cast<double>(tensor<float>(call, 0)[i * K + k]) * tensor<float>(call, 1)[k * N + j];
      tensor<float>(call, 2)[i * N + j] = static_cast<float>(sum);
    }
  return 0;
}
