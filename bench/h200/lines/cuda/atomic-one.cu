/** Every thread adds to one address of global memory. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int r = 0; r < rounds; ++r) {
    const float value = in[thread + r * kAll] + sum;
    sum = atomicAdd(out, value) * 0.0f;  // fault: atomic-contention
    //= sum = value * 0.5f;
  }
  out[1 + thread] = sum;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 3); });
}
