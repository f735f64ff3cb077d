/** The exact sine with its slow path for large arguments. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, float scale) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[thread], sum = 0;
  for (int r = 0; r < 60; ++r) {
    x = x * 1.01f + 0.1f;
    sum += sinf(x * scale);  // fault: slow-instruction
    //= sum += __sinf(x * scale);
    sum *= 0.5f;
  }
  out[thread] = sum;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 200000.0f); });
}
