/** Neighbouring threads read floats 32 apart. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int count) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (int r = 0; r < 16; ++r) {
    const int i = (thread * 16 + r) % count;  // faulty
    //= const int i = (thread + r * threads) % count;
    sum += in[i];  // fault: uncoalesced-access
    //= sum += in[i];
  }
  out[thread] = sum + threads;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, kAll * 16); });
}
