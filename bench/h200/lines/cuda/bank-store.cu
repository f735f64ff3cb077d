/** A transposing store into shared memory puts all lanes on one bank. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  __shared__ float tile[32 * 33 + 32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  float x = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int r = 0; r < rounds; ++r) {
    x = x * 0.999f + 0.25f;
    tile[lane * 32 + (warp + r) % 32] = x;  // fault: bank-conflicts
    //= tile[lane * 33 + (warp + r) % 32] = x;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 400); });
}
