/** A barrier in the inner loop that nothing needs. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  __shared__ float shared[kThreads];
  shared[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float x = 0;
  for (int r = 0; r < rounds; ++r) {
    x += shared[(threadIdx.x + r) % kThreads];
    if (threadIdx.x / 32 == r % 8) x = sqrtf(x) + sinf(x);
    __syncthreads();  // fault: barrier-stall
    //= __syncwarp();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 300); });
}
