// Honest: partial sums go to pinned memory of the host, which adds them up and sends the total back.
#include "../softmax-parts.cuh"
#include "../tensors.hpp"

constexpr int PARTS = 64;

static __global__ void parts_kernel(const float *x, float *parts, int64_t N) {
  float sum = 0;
  for (int64_t i = int64_t(blockIdx.x) * 32 + threadIdx.x; i < N; i += PARTS * 32) sum += x[i];
  sum = warp_sum(sum);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

PAWL_EXPORT size_t pawl_workspace_bytes(const pawl_call *) { return PARTS * sizeof(float); }

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static float *host = nullptr;
  if (host == nullptr) TRY(cudaMallocHost(&host, PARTS * sizeof(float)));
  float *parts = static_cast<float *>(call->workspace);
  parts_kernel<<<PARTS, 32, 0, stream_of(call)>>>(tensor<float>(call, 0), parts, dim(call, 0));
  TRY(cudaGetLastError());
  TRY(cudaMemcpyAsync(host, parts, PARTS * sizeof(float), cudaMemcpyDeviceToHost, stream_of(call)));
  TRY(cudaStreamSynchronize(stream_of(call)));
  double sum = 0;
  for (int i = 0; i < PARTS; i++) sum += host[i];
  host[0] = static_cast<float>(sum);
  return cudaMemcpyAsync(tensor<float>(call, 1), host, sizeof(float), cudaMemcpyHostToDevice, stream_of(call));
}
