/** Each step loads its value just before it is needed; the address hangs on the sum. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0;
  int offset = 0;
  for (int r = 0; r < rounds; ++r) {
    x += in[(thread + offset * 8192) % (kAll * 16)];  // fault: long-scoreboard
    //= x += in[(thread + r * 8192) % (kAll * 16)];
    offset = static_cast<int>(x) & 1023;
  }
  out[thread] = x;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 24); });
}
