/** The conflict is in a function of a header that is inlined here. */
#include "harness.cuh"

#include "row-sum.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  __shared__ float tile[32 * 33];
  for (int i = threadIdx.x; i < 32 * 33; i += blockDim.x) tile[i] = in[i];
  __syncthreads();
  float x = 0;
  for (int r = 0; r < rounds; ++r) {
    x = x * 0.5f + row_sum(tile, threadIdx.x % 32, r);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 80); });
}
