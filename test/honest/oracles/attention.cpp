// o = softmax(q · kᵀ / √D) · v, for each of B·H heads.
#include <cmath>
#include <vector>

#include "../tensors.hpp"

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  const int64_t S = dim(call, 2), D = dim(call, 3), heads = dim(call, 0) * dim(call, 1);
  std::vector<double> weights(static_cast<size_t>(S));
  for (int64_t row = 0; row < heads * S; row++) {
    const int64_t head = row / S * S * D;
    const double *q = tensor<double>(call, 0) + row * D, *k = tensor<double>(call, 1) + head;
    const double *v = tensor<double>(call, 2) + head;
    double *o = tensor<double>(call, 3) + row * D, sum = 0;
    for (int64_t j = 0; j < S; j++) {
      double score = 0;
      for (int64_t d = 0; d < D; d++) score += q[d] * k[j * D + d];
      sum += weights[static_cast<size_t>(j)] = std::exp(score / std::sqrt(static_cast<double>(D)));
    }
    for (int64_t d = 0; d < D; d++) {
      o[d] = 0;
      for (int64_t j = 0; j < S; j++) o[d] += weights[static_cast<size_t>(j)] / sum * v[j * D + d];
    }
  }
  return 0;
}
