// The zoo's problem on a GPU, done honestly: one warp a row, launched on the caller's stream.
#pragma once

#include <cuda_runtime.h>

#include "../softmax.hpp"

constexpr int WARPS = 4;

static __device__ float warp_largest(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xFFFFFFFFu, value, offset));
  return value;
}

static __device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, offset);
  return value;
}

static __global__ void softmax_kernel(const float *x, float *y, int64_t rows, int64_t length) {
  const int64_t row = int64_t(blockIdx.x) * WARPS + threadIdx.x / 32;
  if (row >= rows) return;
  x += row * length;
  y += row * length;
  float largest = -INFINITY, sum = 0;
  for (int64_t i = threadIdx.x % 32; i < length; i += 32) largest = fmaxf(largest, x[i]);
  largest = warp_largest(largest);
  for (int64_t i = threadIdx.x % 32; i < length; i += 32) sum += expf(x[i] - largest);
  sum = warp_sum(sum);
  for (int64_t i = threadIdx.x % 32; i < length; i += 32) y[i] = expf(x[i] - largest) / sum;
}

inline unsigned grid_of(const Softmax &p) { return static_cast<unsigned>((p.rows() + WARPS - 1) / WARPS); }

inline int launch_softmax(const Softmax &p, cudaStream_t stream) {
  softmax_kernel<<<grid_of(p), 32 * WARPS, 0, stream>>>(p.x, p.y, p.rows(), p.D);
  return cudaGetLastError();
}

inline cudaStream_t stream_of(const pawl_call *call) { return static_cast<cudaStream_t>(call->stream); }

// Keeps the device busy for a while: work that comes after it on its stream comes late.
static __global__ void spin_kernel(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}
