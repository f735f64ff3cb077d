// Softmax in double precision: one block per row.
#include "pawl_kernel.h"

#include <cuda_runtime.h>

static __global__ void rows_of(double *out, const double *inp, int64_t C) {
  __shared__ double parts[512];
  const double *x = inp + blockIdx.x * C;
  double most = -INFINITY;
  for (int64_t c = threadIdx.x; c < C; c += blockDim.x) most = fmax(most, x[c]);
  parts[threadIdx.x] = most;
  __syncthreads();
  for (int half = 256; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] = fmax(parts[threadIdx.x], parts[threadIdx.x + half]);
    __syncthreads();
  }
  most = parts[0];
  __syncthreads();
  double sum = 0;
  for (int64_t c = threadIdx.x; c < C; c += blockDim.x) sum += exp(x[c] - most);
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 256; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  for (int64_t c = threadIdx.x; c < C; c += blockDim.x) out[blockIdx.x * C + c] = exp(x[c] - most) / parts[0];
}

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  rows_of<<<(unsigned)call->dims[0].value, 512, 0, (cudaStream_t)call->stream>>>(
      (double *)call->tensors[0].data, (const double *)call->tensors[1].data, call->dims[1].value);
  return (int)cudaGetLastError();
}
