/** The result leaves along rows although its layout runs along columns. */
#include "harness.cuh"
#include "tensor.hpp"

using Tile = tile::RowMajor<256, 16>;

__global__ void planted(const float* in, float* out, int tiles) {
  __shared__ float memory[256 * 17];
  const auto shared = tile::make_tensor<tile::Padded<256, 16>>(memory);
  for (int k = 0; k < 16; ++k) shared(threadIdx.x, k) = in[k * kAll + blockIdx.x * kThreads + threadIdx.x];
  __syncthreads();
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const auto global = tile::make_tensor<Tile>(out + t * Tile::Size);
    tile::copy<tile::AlongRows>(shared, global);  // fault: uncoalesced-access
    //= tile::copy<tile::AlongColumns>(shared, global);
  }
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 1056); });
}
