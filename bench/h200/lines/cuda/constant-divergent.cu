/** Lanes read different places of constant memory, one after the other. */
#include "harness.cuh"

__constant__ float table[4096];

__global__ void planted(const float* in, float* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = in[thread];
  for (int r = 0; r < rounds; ++r) {
    const int at = (threadIdx.x * 61 + r * 17) % 4096;  // faulty
    //= const int at = (r * 17) % 4096;
    sum += table[at];  // fault: constant-serialised
    //= sum += table[at];
    sum *= 0.5f;
  }
  out[thread] = sum;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 60); });
}
