// Honest: adds floats atomically in whatever order they come, and says so (`deterministic: false`).
#include "../softmax-parts.cuh"
#include "../tensors.hpp"

static __global__ void sum_kernel(const float *x, float *y, int64_t N) {
  float sum = 0;
  for (int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x; i < N; i += int64_t(gridDim.x) * 256) sum += x[i];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) atomicAdd(y, sum);
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  TRY(cudaMemsetAsync(tensor<float>(call, 1), 0, sizeof(float), stream_of(call)));
  sum_kernel<<<64, 256, 0, stream_of(call)>>>(tensor<float>(call, 0), tensor<float>(call, 1), dim(call, 0));
  return cudaGetLastError();
}
