/** One lane of each warp adds up what thirty-two could. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  __shared__ float values[kThreads];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  values[threadIdx.x] = in[thread];
  __syncwarp();
  float sum = 0;
  for (int r = 0; r < rounds; ++r) {
    if (lane == 0)
      for (int k = 0; k < 32; ++k) sum += sqrtf(values[threadIdx.x + k] + r);  // fault: divergence
      //= sum += sqrtf(values[threadIdx.x] + r);
    __syncwarp();
  }
  out[thread] = sum;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 40); });
}
