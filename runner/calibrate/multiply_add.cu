/* The rate of f32 multiply-adds outside the tensor cores, from registers. */
#include <cuda_runtime.h>

#include <cstdint>

#include "pawl_kernel.h"

namespace {

constexpr int THREADS = 256;
constexpr int BLOCKS_PER_SM = 4;
/** Independent sums of a thread: with 32 warps an SM, the latency of four cycles is covered many times over. */
constexpr int CHAINS = 8;
/** Steps of one tile of the work. */
constexpr int TILE_STEPS = 256;

__global__ void __launch_bounds__(THREADS) multiply_add(const float *x, float *y, std::int64_t tiles, int outputs) {
  const float a = 0.999F + 1e-6F * x[0], b = 0.001F + 1e-6F * x[1];
  float sums[CHAINS];
#pragma unroll
  for (int chain = 0; chain < CHAINS; ++chain) sums[chain] = b * static_cast<float>(chain + threadIdx.x);
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
#pragma unroll 4
    for (int step = 0; step < TILE_STEPS; ++step) {
#pragma unroll
      for (int chain = 0; chain < CHAINS; ++chain)
        asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(sums[chain]) : "f"(a), "f"(b));
    }
  }
  float total = 0;
#pragma unroll
  for (int chain = 0; chain < CHAINS; ++chain) total += sums[chain];
  y[(blockIdx.x * THREADS + threadIdx.x) % outputs] = total;
}

}  // namespace

/* dims: TILES. Operations: 2 × 8 × 256 × 256 × TILES. */
PAWL_EXPORT int pawl_run(const pawl_call *call) {
  int device = 0, multiprocessors = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error != cudaSuccess) return static_cast<int>(error);
  multiply_add<<<multiprocessors * BLOCKS_PER_SM, THREADS, 0, static_cast<cudaStream_t>(call->stream)>>>(
      static_cast<const float *>(call->tensors[0].data), static_cast<float *>(call->tensors[1].data),
      call->dims[0].value, static_cast<int>(call->tensors[1].shape[0]));
  return static_cast<int>(cudaGetLastError());
}

PAWL_EXPORT const char *pawl_error_text(int code) { return cudaGetErrorString(static_cast<cudaError_t>(code)); }
