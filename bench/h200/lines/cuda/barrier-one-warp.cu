/** One warp works between two barriers while seven wait. */
#include "harness.cuh"

__global__ void planted(float* out, int rounds) {
  __shared__ float shared[kThreads];
  float x = threadIdx.x * 0.01f;
  for (int r = 0; r < rounds; ++r) {
    shared[threadIdx.x] = x;
    if (threadIdx.x < 32)  // faulty
      for (int k = 0; k < 200; ++k) x = fmaf(x, 0.999f, 0.1f);  // faulty
      //= for (int k = 0; k < 25; ++k) x = fmaf(x, 0.999f, 0.1f);
    __syncthreads();  // fault: barrier-stall
    //= __syncthreads();
    x += shared[(threadIdx.x + 1) % kThreads];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main() {
  float* out = buffer(kAll);
  return run([&] { planted<<<kBlocks, kThreads>>>(out, 60); });
}
