/** A division by a number that only the run knows, in the inner loop. */
#include "harness.cuh"

__global__ void planted(const int* in, int* out, int divisor) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int x = in[thread];
  for (int r = 0; r < 200; ++r) {
    x ^= r * 31;
    x += x / divisor;  // fault: slow-instruction
    //= x += x >> 5;
    x = x * 3 + 1;
  }
  out[thread] = x;
}

int main() {
  const int* in = buffer<int>(kAll, 1 << 20);
  int* out = buffer<int>(kAll, 1 << 20);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 37); });
}
