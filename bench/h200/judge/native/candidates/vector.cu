#include "pawl_kernel.h"

__device__ float softened(float x) { return __fdividef(x, 1.0f + fabsf(x)); }

__global__ void soften(const float4 *x, float4 *y, int64_t n) {
  const int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (i >= n) return;
  const float4 v = x[i];
  y[i] = make_float4(softened(v.x), softened(v.y), softened(v.z), softened(v.w));
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const int64_t n = call->dims[0].value / 4;
  soften<<<static_cast<unsigned>((n + 255) / 256), 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
      static_cast<const float4 *>(call->tensors[0].data), static_cast<float4 *>(call->tensors[1].data), n);
  return cudaGetLastError();
}
