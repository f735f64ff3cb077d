/** A 64-bit division, which is a call of two hundred instructions. */
#include "harness.cuh"

__global__ void planted(const int* in, int* out, long long divisor) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  long long x = in[thread] * 12345678901ll;
  for (int r = 0; r < 60; ++r) {
    x += r;
    x = x / divisor + 98765432109ll;  // fault: slow-instruction
    //= x = (x >> 5) + 98765432109ll;
  }
  out[thread] = static_cast<int>(x);
}

int main() {
  const int* in = buffer<int>(kAll, 1 << 20);
  int* out = buffer<int>(kAll, 1 << 20);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 37); });
}
