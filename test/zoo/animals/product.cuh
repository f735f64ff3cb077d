// The product of matrices on a GPU, done honestly: one thread an element, tiles in shared memory.
#pragma once

#include <cuda_runtime.h>

#include "../product.hpp"

constexpr int TILE = 16;

static __device__ void product_tile(const float *a, const float *b, float *c, int64_t M, int64_t N, int64_t K) {
  __shared__ float left[TILE][TILE], right[TILE][TILE];
  const int64_t row = int64_t(blockIdx.y) * TILE + threadIdx.y, column = int64_t(blockIdx.x) * TILE + threadIdx.x;
  float sum = 0;
  for (int64_t k = 0; k < K; k += TILE) {
    left[threadIdx.y][threadIdx.x] = row < M && k + threadIdx.x < K ? a[row * K + k + threadIdx.x] : 0;
    right[threadIdx.y][threadIdx.x] = column < N && k + threadIdx.y < K ? b[(k + threadIdx.y) * N + column] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  if (row < M && column < N) c[row * N + column] = sum;
}

inline dim3 product_grid(const Product &p) {
  return dim3(static_cast<unsigned>((p.N + TILE - 1) / TILE), static_cast<unsigned>((p.M + TILE - 1) / TILE));
}

inline cudaStream_t stream_of(const pawl_call *call) { return static_cast<cudaStream_t>(call->stream); }

static __device__ int64_t global_thread() { return int64_t(blockIdx.x) * blockDim.x + threadIdx.x; }

static __device__ int64_t all_threads() { return int64_t(gridDim.x) * blockDim.x; }
