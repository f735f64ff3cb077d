/** A general power for a square. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, float exponent) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[thread], sum = 0;
  for (int r = 0; r < 100; ++r) {
    x = x * 0.99f + 0.1f;
    sum += powf(x, exponent);  // fault: slow-instruction
    //= sum += x * x;
  }
  out[thread] = sum + exponent;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 2.0f); });
}
