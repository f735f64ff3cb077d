// Honest: two kernels that hand partial sums over in the workspace it asked for.
#include "../softmax-parts.cuh"
#include "../tensors.hpp"

constexpr int PARTS = 64 * 8;

static __global__ void parts_kernel(const float *x, float *parts, int64_t N) {
  float sum = 0;
  for (int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x; i < N; i += int64_t(gridDim.x) * 256) sum += x[i];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) parts[blockIdx.x * 8 + threadIdx.x / 32] = sum;
}

static __global__ void total_kernel(const float *parts, float *y) {
  float sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < PARTS; i += 32) sum += parts[i];
  sum = warp_sum(sum);
  if (threadIdx.x == 0) *y = sum;
}

PAWL_EXPORT size_t pawl_workspace_bytes(const pawl_call *) { return PARTS * sizeof(float); }

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  float *parts = static_cast<float *>(call->workspace);
  parts_kernel<<<64, 256, 0, stream_of(call)>>>(tensor<float>(call, 0), parts, dim(call, 0));
  total_kernel<<<1, 32, 0, stream_of(call)>>>(parts, tensor<float>(call, 1));
  return cudaGetLastError();
}
