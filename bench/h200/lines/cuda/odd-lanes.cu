/** Odd lanes compute a root, even ones a logarithm. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[thread] + 1.0f;
  const bool odd = threadIdx.x % 2 == 1;  // faulty
  //= const bool odd = threadIdx.x / 32 % 2 == 1;
  for (int r = 0; r < rounds; ++r) {
    if (odd) {
      for (int k = 0; k < 8; ++k) x = sqrtf(x + k);
    } else {
      for (int k = 0; k < 8; ++k) x = logf(x + 2.0f + k);  // fault: divergence
      //= for (int k = 0; k < 8; ++k) x = logf(x + 2.0f + k);
    }
  }
  out[thread] = x;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 40); });
}
