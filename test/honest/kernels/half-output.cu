// Honest: f16 in and out, f32 in between.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "../tensors.hpp"

static __global__ void gelu_kernel(const __half *x, __half *y, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= N) return;
  const float value = __half2float(x[i]);
  y[i] = __float2half(0.5f * value * erfcf(-value * 0.70710678f));
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const int64_t N = dim(call, 0);
  gelu_kernel<<<static_cast<unsigned>((N + 255) / 256), 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
      tensor<__half>(call, 0), tensor<__half>(call, 1), N);
  return cudaGetLastError();
}
