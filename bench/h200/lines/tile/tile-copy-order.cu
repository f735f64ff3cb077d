/** A copy from global memory runs along the wrong way of its layout. */
#include "harness.cuh"
#include "tensor.hpp"

using Tile = tile::RowMajor<256, 16>;

__global__ void planted(const float* in, float* out, int tiles) {
  __shared__ float memory[256 * 17];
  const auto shared = tile::make_tensor<tile::Padded<256, 16>>(memory);
  float sum = 0;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const auto global = tile::make_tensor<Tile>(in + t * Tile::Size);
    tile::copy<tile::AlongRows>(global, shared);  // fault: uncoalesced-access
    //= tile::copy<tile::AlongColumns>(global, shared);
    __syncthreads();
    sum += shared(threadIdx.x, t % 16);
    __syncthreads();
  }
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 1056); });
}
