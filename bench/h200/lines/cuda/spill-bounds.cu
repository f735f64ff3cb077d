/** A launch bound leaves 32 registers for 64 live sums. */
#include "harness.cuh"

#ifndef BOUND
__global__ void __launch_bounds__(256, 8) planted(const float* in, float* out, int rounds) {  // faulty
//= __global__ void __launch_bounds__(256, 2) planted(const float* in, float* out, int rounds) {
#endif
  float acc[64];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 64; ++k) acc[k] = in[thread + k * 4];
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int k = 0; k < 64; ++k) acc[k] = fmaf(acc[k], acc[(k + 17) % 64], 0.5f);  // fault: register-spill
    //= for (int k = 0; k < 64; ++k) acc[k] = fmaf(acc[k], acc[(k + 17) % 64], 0.5f);
  }
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += acc[k];
  out[thread] = sum;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 40); });
}
