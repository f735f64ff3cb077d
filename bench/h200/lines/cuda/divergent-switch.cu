/** Lanes of one warp take eight ways. */
#include "harness.cuh"

__device__ float way(float x, int n) {
  for (int k = 0; k < 24; ++k) x = fmaf(x, 1.0f + n * 1e-6f, 0.5f * n);
  return x;
}

__global__ void planted(float* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = thread * 0.001f;
  for (int r = 0; r < rounds; ++r) {
    const int kind = (threadIdx.x + r) % 8;  // faulty
    //= const int kind = (threadIdx.x / 32 + r) % 8;
    if (kind & 1) x = sqrtf(way(x, 1) * way(x, 3));  // fault: divergence
    //= if (kind & 1) x = sqrtf(way(x, 1) * way(x, 3));
    else if (kind & 2) x = way(x * 0.5f, 2) + way(x, 7);
    else x = way(x, 4) - way(x, 5);
  }
  out[thread] = x;
}

int main() {
  float* out = buffer(kAll);
  return run([&] { planted<<<kBlocks, kThreads>>>(out, 30); });
}
