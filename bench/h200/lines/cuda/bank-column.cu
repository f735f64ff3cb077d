/** Every lane reads its row of a tile whose rows are one bank apart only when padded. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  __shared__ float tile[32 * 33];
  for (int i = threadIdx.x; i < 32 * 33; i += blockDim.x) tile[i] = in[i];
  __syncthreads();
  const int lane = threadIdx.x % 32;
  float sum = 0;
  for (int r = 0; r < rounds; ++r) {
    const int column = (r + threadIdx.x / 32) % 32;
    sum += tile[lane * 32 + column];  // fault: bank-conflicts
    //= sum += tile[lane * 33 + column];
    sum = sum * 0.5f + 1.0f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 400); });
}
