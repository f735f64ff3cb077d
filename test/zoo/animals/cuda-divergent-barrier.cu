// Divergent barrier: threads past the end of the row skip a __syncthreads() that the others wait at.
#include "softmax.cuh"

constexpr int THREADS = 256;

static __global__ void divergent_softmax(const float *x, float *y, int64_t length) {
  __shared__ float part[THREADS];
  x += int64_t(blockIdx.x) * length;
  y += int64_t(blockIdx.x) * length;
  part[threadIdx.x] = 0;
  __syncthreads();
  float largest = -INFINITY;
  for (int64_t i = 0; i < length; i++) largest = fmaxf(largest, x[i]);
  if (threadIdx.x < length) {
    float mine = 0;
    for (int64_t i = threadIdx.x; i < length; i += THREADS) mine += expf(x[i] - largest);
    part[threadIdx.x] = mine;
    __syncthreads();
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < THREADS; i++) sum += part[i];
  for (int64_t i = threadIdx.x; i < length; i += THREADS) y[i] = expf(x[i] - largest) / sum;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  divergent_softmax<<<static_cast<unsigned>(p.rows()), THREADS, 0, stream_of(call)>>>(p.x, p.y, p.D);
  return cudaGetLastError();
}
