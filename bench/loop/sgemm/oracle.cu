// alpha * A * B + beta * C in double precision, in tiles of 16.
#include "pawl_kernel.h"

#include <cuda_runtime.h>

static __global__ void product(const double *a, const double *b, double *c, int64_t M, int64_t N, int64_t K, double alpha,
                               double beta) {
  __shared__ double left[16][17], right[16][17];
  const int64_t row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  double sum = 0;
  for (int64_t k = 0; k < K; k += 16) {
    left[threadIdx.y][threadIdx.x] = row < M && k + threadIdx.x < K ? a[row * K + k + threadIdx.x] : 0;
    right[threadIdx.y][threadIdx.x] = column < N && k + threadIdx.y < K ? b[(k + threadIdx.y) * N + column] : 0;
    __syncthreads();
    for (int i = 0; i < 16; i++) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  if (row < M && column < N) c[row * N + column] = alpha * sum + beta * c[row * N + column];
}

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  const int64_t M = call->dims[0].value, N = call->dims[1].value, K = call->dims[2].value;
  product<<<dim3((unsigned)((N + 15) / 16), (unsigned)((M + 15) / 16)), dim3(16, 16), 0, (cudaStream_t)call->stream>>>(
      (const double *)call->tensors[0].data, (const double *)call->tensors[1].data, (double *)call->tensors[2].data, M, N, K,
      (float)call->scalars[0].value, (float)call->scalars[1].value);
  return (int)cudaGetLastError();
}
