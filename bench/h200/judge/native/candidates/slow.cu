#include "pawl_kernel.h"

__global__ void soften(const float *x, float *y, int64_t n) {
  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < n; i += int64_t{gridDim.x} * blockDim.x)
    y[i] = x[i] / (1.0f + fabsf(x[i]));
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  soften<<<66, 128, 0, static_cast<cudaStream_t>(call->stream)>>>(
      static_cast<const float *>(call->tensors[0].data), static_cast<float *>(call->tensors[1].data),
      call->dims[0].value);
  return cudaGetLastError();
}
