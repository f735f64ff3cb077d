/** A sum in double over floats that need none. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;  // faulty
  //= float sum = 0;
  for (int r = 0; r < rounds; ++r) {
    const float value = in[(thread + r * 32) % (kAll * 16)];
    sum += value * value + sum * value;  // fault: stray-fp64
    //= sum += value * value + sum * value;
  }
  out[thread] = sum;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 100); });
}
