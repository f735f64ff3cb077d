/** A sum over the warp in every step instead of once at the end. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[thread], total = 0;
  for (int r = 0; r < rounds; ++r) {
    float part = x * r;
    for (int step = 16; step > 0; step /= 2) part += __shfl_xor_sync(0xffffffffu, part, step);  // fault: short-scoreboard
    //= part += x * 31.0f;
    total += part;
  }
  out[thread] = total;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 150); });
}
