// The backward pass of layer norm, added up in double precision: a block per row for the input, a thread per column for
// the rest. An oracle in CUDA gets bf16 as float.
#include "pawl_kernel.h"

#include <cuda_runtime.h>

static __device__ double sum_of_block(double value) {
  __shared__ double parts[256];
  parts[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  const double sum = parts[0];
  __syncthreads();
  return sum;
}

static __global__ void rows_of(float *dinp, const float *dout, const float *inp, const float *weight, const float *mean,
                               const float *rstd, int64_t C) {
  const int64_t row = blockIdx.x, from = row * C;
  double plain = 0, scaled = 0;
  for (int64_t c = threadIdx.x; c < C; c += blockDim.x) {
    const double d = (double)weight[c] * dout[from + c];
    plain += d;
    scaled += d * ((double)inp[from + c] - mean[row]) * rstd[row];
  }
  plain = sum_of_block(plain) / C;
  scaled = sum_of_block(scaled) / C;
  for (int64_t c = threadIdx.x; c < C; c += blockDim.x) {
    const double norm = ((double)inp[from + c] - mean[row]) * rstd[row];
    dinp[from + c] += ((double)weight[c] * dout[from + c] - plain - norm * scaled) * rstd[row];
  }
}

static __global__ void columns_of(float *dweight, float *dbias, const float *dout, const float *inp, const float *mean,
                                  const float *rstd, int64_t rows, int64_t C) {
  const int64_t c = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= C) return;
  double weight = 0, bias = 0;
  for (int64_t row = 0; row < rows; row++) {
    bias += dout[row * C + c];
    weight += dout[row * C + c] * ((double)inp[row * C + c] - mean[row]) * rstd[row];
  }
  dweight[c] += weight;
  dbias[c] += bias;
}

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  float *at[8];
  for (int i = 0; i < 8; i++) at[i] = (float *)call->tensors[i].data;
  const int64_t rows = call->dims[0].value * call->dims[1].value, C = call->dims[2].value;
  const cudaStream_t stream = (cudaStream_t)call->stream;
  columns_of<<<(unsigned)((C + 31) / 32), 32, 0, stream>>>(at[1], at[2], at[3], at[4], at[6], at[7], rows, C);
  rows_of<<<(unsigned)rows, 256, 0, stream>>>(at[0], at[3], at[4], at[5], at[6], at[7], C);
  return (int)cudaGetLastError();
}
