/** A wait of a fixed time in the loop. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[thread];
  for (int r = 0; r < rounds; ++r) {
    for (int k = 0; k < 16; ++k) x = fmaf(x, 0.99f, 0.5f);
    __nanosleep(400);  // fault: sleeping
    //= x += 0.25f;
  }
  out[thread] = x;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 60); });
}
