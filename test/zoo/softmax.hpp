// The zoo's problem, done honestly: y = softmax(x) along the last axis of [B, H, S, D], f32. Every animal
// starts from this and differs from it by one trick.
#pragma once

#include <cmath>
#include <cstdint>

#include "pawl_kernel.h"

struct Softmax {
  const float *x;
  float *y;
  int64_t B, H, S, D;

  explicit Softmax(const pawl_call *call)
      : x(static_cast<const float *>(call->tensors[0].data)),
        y(static_cast<float *>(call->tensors[1].data)),
        B(call->dims[0].value),
        H(call->dims[1].value),
        S(call->dims[2].value),
        D(call->dims[3].value) {}

  int64_t rows() const { return B * H * S; }
  int64_t count() const { return rows() * D; }
};

inline void softmax_row(const float *x, float *y, int64_t length) {
  float largest = x[0], sum = 0;
  for (int64_t i = 1; i < length; i++) largest = x[i] > largest ? x[i] : largest;
  for (int64_t i = 0; i < length; i++) sum += y[i] = std::exp(x[i] - largest);
  for (int64_t i = 0; i < length; i++) y[i] /= sum;
}

inline void softmax_rows(const Softmax &p, int64_t first, int64_t end) {
  for (int64_t row = first; row < end; row++) softmax_row(p.x + row * p.D, p.y + row * p.D, p.D);
}

inline int honest_softmax(const Softmax &p) {
  softmax_rows(p, 0, p.rows());
  return 0;
}
