// A product of matrices, done honestly: c = a·b for [M, K] and [K, N], f32. Where work grows faster than data, it pays
// to remember.
#pragma once

#include <algorithm>
#include <cstdint>

#include "pawl_kernel.h"

struct Product {
  const float *a, *b;
  float *c;
  int64_t M, N, K;

  explicit Product(const pawl_call *call)
      : a(static_cast<const float *>(call->tensors[0].data)),
        b(static_cast<const float *>(call->tensors[1].data)),
        c(static_cast<float *>(call->tensors[2].data)),
        M(call->dims[0].value),
        N(call->dims[1].value),
        K(call->dims[2].value) {}
};

inline int honest_product(const Product &p) {
  for (int64_t i = 0; i < p.M; i++) {
    float *row = p.c + i * p.N;
    std::fill(row, row + p.N, 0.0f);
    for (int64_t k = 0; k < p.K; k++)
      for (int64_t j = 0; j < p.N; j++) row[j] += p.a[i * p.K + k] * p.b[k * p.N + j];
  }
  return 0;
}
