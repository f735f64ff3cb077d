/** A fence for the whole device after every store. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[thread];
  for (int r = 0; r < rounds; ++r) {
    x = x * 0.99f + 0.5f;
    out[thread + (r % 8) * kAll] = x;
    __threadfence();  // fault: membar-stall
    //= __threadfence_block();
  }
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 24); });
}
