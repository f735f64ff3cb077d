/** A vote of the whole block where a warp would do. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[thread];
  int hits = 0;
  for (int r = 0; r < rounds; ++r) {
    x = x * 0.99f + (threadIdx.x / 32 == r % 8 ? expf(x) : 0.1f);
    hits += __syncthreads_count(x > 0.5f);  // fault: barrier-stall
    //= hits += __popc(__ballot_sync(0xffffffffu, x > 0.5f));
  }
  out[thread] = x + hits;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 300); });
}
