/** A tree of sums with growing strides inside one warp each step. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  __shared__ float partial[8192];
  float total = 0;
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) partial[i] = in[i];
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    for (int step = 1; step <= 16; step *= 2) {
      const int here = threadIdx.x * 16;  // faulty
      //= const int here = threadIdx.x;
      total += partial[(here + step + r) & 8191];  // fault: bank-conflicts
      //= total += partial[(here + step + r) & 8191];
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 80); });
}
