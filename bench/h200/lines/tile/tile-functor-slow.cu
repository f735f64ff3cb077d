/** The functor of a header does an exact division and an exponential per element. */
#include "harness.cuh"
#include "tensor.hpp"
#include "smooth.hpp"

__global__ void planted(const float* in, float* out, float scale) {
  __shared__ float memory[32 * 33];
  const auto shared = tile::make_tensor<tile::Padded<32, 32>>(memory);
  for (int i = threadIdx.x; i < 32 * 33; i += kThreads) memory[i] = in[i];
  __syncthreads();
  float x = 0;
  for (int r = 0; r < 12; ++r) x += tile::fold(shared, threadIdx.x % 32, tile::Smooth{scale + x});
  out[blockIdx.x * kThreads + threadIdx.x] = x;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 0.5f); });
}
