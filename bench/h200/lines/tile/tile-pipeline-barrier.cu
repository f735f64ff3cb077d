/** A pipeline of tiles meets at a barrier after every column instead of every tile. */
#include "harness.cuh"
#include "tensor.hpp"

template <class From, class To>
__device__ __forceinline__ void stage(const From& from, const To& to) {
  for (int column = 0; column < 16; ++column) {
    to(threadIdx.x, column) = from(threadIdx.x, column) * 0.5f;
    if (threadIdx.x / 32 == column % 8) to(threadIdx.x, column) += expf(to(threadIdx.x, column)) + sinf(column * to(threadIdx.x, 0));
    __syncthreads();  // fault: barrier-stall
    //= __syncwarp();
  }
}

__global__ void planted(const float* in, float* out, int rounds) {
  __shared__ float memory[2 * 256 * 17];
  const auto a = tile::make_tensor<tile::Padded<256, 16>>(memory);
  const auto b = tile::make_tensor<tile::Padded<256, 16>>(memory + 256 * 17);
  for (int k = 0; k < 16; ++k) a(threadIdx.x, k) = in[k * kAll + blockIdx.x * kThreads + threadIdx.x];
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    stage(a, b);
    stage(b, a);
  }
  out[blockIdx.x * kThreads + threadIdx.x] = a(threadIdx.x, 3);
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 6); });
}
