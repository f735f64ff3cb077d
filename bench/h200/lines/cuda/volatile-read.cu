/** A value that never changes is read from memory in every step. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const volatile float* scale = in + thread;
  const float kept = in[thread];
  float x = 1.0f;
  for (int r = 0; r < rounds; ++r) {
    x = x * *scale + kept;  // fault: long-scoreboard
    //= x = x * kept + kept;
  }
  out[thread] = x;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 60); });
}
