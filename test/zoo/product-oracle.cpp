#include "product.hpp"

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  const double *a = static_cast<const double *>(call->tensors[0].data);
  const double *b = static_cast<const double *>(call->tensors[1].data);
  double *c = static_cast<double *>(call->tensors[2].data);
  const int64_t M = call->dims[0].value, N = call->dims[1].value, K = call->dims[2].value;
  for (int64_t i = 0; i < M; i++) {
    std::fill(c + i * N, c + (i + 1) * N, 0.0);
    for (int64_t k = 0; k < K; k++)
      for (int64_t j = 0; j < N; j++) c[i * N + j] += a[i * K + k] * b[k * N + j];
  }
  return 0;
}

PAWL_EXPORT int pawl_reference(const pawl_call *call) {
  if (call->tensors[0].dtype != PAWL_F32) return 1;
  return honest_product(Product(call));
}
