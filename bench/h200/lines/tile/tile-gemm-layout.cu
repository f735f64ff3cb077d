/** The right side of a product lies column by column, and every lane reads a column. */
#include "harness.cuh"
#include "tensor.hpp"

using Right = tile::ColumnMajor<32, 32>;  // faulty
//= using Right = tile::RowMajor<32, 32>;

template <class Left, class Right>
__device__ __forceinline__ void multiply(float (&acc)[4], const Left& left, const Right& right) {
  for (int k = 0; k < 32; ++k) {
    const float b = right(k, threadIdx.x % 32);  // fault: bank-conflicts
    //= const float b = right(k, threadIdx.x % 32);
#pragma unroll
    for (int m = 0; m < 4; ++m) acc[m] = acc[m] * 0.5f + left(m, k) * b;
  }
}

__global__ void planted(const float* in, float* out, int rounds) {
  __shared__ float memory[4 * 32 + 32 * 32];
  for (int i = threadIdx.x; i < 4 * 32 + 32 * 32; i += kThreads) memory[i] = in[i];
  __syncthreads();
  const auto left = tile::make_tensor<tile::RowMajor<4, 32>>(memory);
  const auto right = tile::make_tensor<Right>(memory + 4 * 32);
  float acc[4] = {};
  for (int r = 0; r < rounds; ++r) multiply(acc, left, right);
  out[blockIdx.x * kThreads + threadIdx.x] = acc[0] + acc[1] + acc[2] + acc[3];
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 16); });
}
