/** A tile without padding is folded row by row, one row per lane. */
#include "harness.cuh"
#include "tensor.hpp"

using Tile = tile::RowMajor<32, 32>;  // faulty
//= using Tile = tile::Padded<32, 32>;

__global__ void planted(const float* in, float* out, int rounds) {
  __shared__ float memory[32 * 33];
  const auto shared = tile::make_tensor<Tile>(memory);
  for (int i = threadIdx.x; i < 32 * 33; i += kThreads) memory[i] = in[i];
  __syncthreads();
  float x = 0;
  for (int r = 0; r < rounds; ++r) {
    const auto add = [&](float sum, float value) { return sum + value * x; };
    x = 0.5f * tile::fold(shared, threadIdx.x % 32, add);  // fault: bank-conflicts
    //= x = 0.5f * tile::fold(shared, threadIdx.x % 32, add);
  }
  out[blockIdx.x * kThreads + threadIdx.x] = x;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 16); });
}
