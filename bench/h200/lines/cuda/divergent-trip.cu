/** How often a lane goes round depends on the lane. */
#include "harness.cuh"

__global__ void planted(float* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = thread * 0.001f;
  for (int r = 0; r < rounds; ++r) {
    const int trips = (threadIdx.x % 32) == r % 32 ? 96 : 3;  // faulty
    //= const int trips = 6;
    for (int k = 0; k < trips; ++k) x = fmaf(x, 0.999f, 0.1f * k);  // fault: divergence
    //= for (int k = 0; k < trips; ++k) x = fmaf(x, 0.999f, 0.1f * k);
  }
  out[thread] = x;
}

int main() {
  float* out = buffer(kAll);
  return run([&] { planted<<<kBlocks, kThreads>>>(out, 64); });
}
