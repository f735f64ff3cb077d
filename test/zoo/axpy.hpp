// The zoo's problem with an inout, done honestly: y += 3·x, f32.
#pragma once

#include <cstdint>

#include "pawl_kernel.h"

struct Axpy {
  const float *x;
  float *y;
  int64_t N;

  explicit Axpy(const pawl_call *call)
      : x(static_cast<const float *>(call->tensors[0].data)),
        y(static_cast<float *>(call->tensors[1].data)),
        N(call->dims[0].value) {}
};

constexpr float AXPY_FACTOR = 3;
