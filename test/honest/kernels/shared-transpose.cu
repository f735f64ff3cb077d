// Honest: a transpose through tiles of shared memory.
#include <cuda_runtime.h>

#include "../tensors.hpp"

constexpr int TILE = 32;

static __global__ void transpose_kernel(const float *x, float *y, int64_t M, int64_t N) {
  __shared__ float tile[TILE][TILE + 1];
  const int64_t column = int64_t(blockIdx.x) * TILE + threadIdx.x, row = int64_t(blockIdx.y) * TILE + threadIdx.y;
  if (row < M && column < N) tile[threadIdx.y][threadIdx.x] = x[row * N + column];
  __syncthreads();
  const int64_t i = int64_t(blockIdx.y) * TILE + threadIdx.x, j = int64_t(blockIdx.x) * TILE + threadIdx.y;
  if (i < M && j < N) y[j * M + i] = tile[threadIdx.x][threadIdx.y];
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const int64_t M = dim(call, 0), N = dim(call, 1);
  const dim3 grid(static_cast<unsigned>((N + TILE - 1) / TILE), static_cast<unsigned>((M + TILE - 1) / TILE));
  transpose_kernel<<<grid, dim3(TILE, TILE), 0, static_cast<cudaStream_t>(call->stream)>>>(
      tensor<float>(call, 0), tensor<float>(call, 1), M, N);
  return cudaGetLastError();
}
