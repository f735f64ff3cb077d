/** Exact divisions by a value that does not change. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, float scale) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[thread];
  const float inverse = 1.0f / scale;
  for (int r = 0; r < 200; ++r) {
    x = x / scale;  // fault: slow-instruction
    //= x = x * inverse;
    x += 1.5f + r * inverse;
  }
  out[thread] = x;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 1.01f); });
}
