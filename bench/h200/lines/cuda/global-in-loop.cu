/** A tile that every warp reads again comes from global memory each time. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  __shared__ float tile[kThreads];
  tile[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  __syncthreads();
  const float* block = in + blockIdx.x * kThreads;
  float sum = 0;
  for (int r = 0; r < rounds; ++r) {
    const int at = (threadIdx.x + static_cast<int>(sum) % 7 + r) % kThreads;
    sum = sum * 0.5f + __ldcg(block + at);  // fault: long-scoreboard
    //= sum = sum * 0.5f + tile[at];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 60); });
}
