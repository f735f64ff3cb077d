/** Half-precision values are converted to and fro in every step. */
#include "harness.cuh"

#include <cuda_fp16.h>

__global__ void planted(const float* in, float* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[thread];
  for (int r = 0; r < rounds; ++r) {
    for (int k = 0; k < 8; ++k) x = fmaf(x, 0.75f, 0.01f);
    for (int k = 0; k < 6; ++k) x += static_cast<float>(static_cast<short>(x * 100.0f + k)) * 0.001f;  // fault: slow-instruction
    //= x += 0.25f;
  }
  out[thread] = x;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 60); });
}
