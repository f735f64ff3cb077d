// y[j][i] = x[i][j].
#include "../tensors.hpp"

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  const int64_t M = dim(call, 0), N = dim(call, 1);
  for (int64_t i = 0; i < M; i++)
    for (int64_t j = 0; j < N; j++) tensor<double>(call, 1)[j * M + i] = tensor<double>(call, 0)[i * N + j];
  return 0;
}
