/** The swizzle of a header takes the wrong bits of the row. */
#include "harness.cuh"
#include "tensor.hpp"
#include "swizzle.hpp"

__global__ void planted(const float* in, float* out, int rounds) {
  __shared__ float memory[32 * 32];
  for (int i = threadIdx.x; i < 32 * 32; i += kThreads) memory[i] = in[i];
  __syncthreads();
  float x = 0;
  for (int r = 0; r < rounds; ++r) {
    x = x * 0.5f + tile::Swizzled<32>::read(memory, threadIdx.x % 32, (r + threadIdx.x / 32) % 32);
  }
  out[blockIdx.x * kThreads + threadIdx.x] = x;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 400); });
}
