/** A product of a header multiplies in double. */
#include "harness.cuh"
#include "tensor.hpp"
#include "gemm.hpp"

__global__ void planted(const float* in, float* out, int rounds) {
  __shared__ float memory[8 * 32 + 32 * 32];
  for (int i = threadIdx.x; i < 8 * 32 + 32 * 32; i += kThreads) memory[i] = in[i];
  __syncthreads();
  const auto left = tile::make_tensor<tile::RowMajor<8, 32>>(memory);
  const auto right = tile::make_tensor<tile::RowMajor<32, 32>>(memory + 8 * 32);
  float acc[8] = {};
  for (int r = 0; r < rounds; ++r) tile::gemm<32>(acc, left, right);
  float sum = 0;
  for (int m = 0; m < 8; ++m) sum += acc[m];
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 10); });
}
