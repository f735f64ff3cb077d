/** Indices jump through the whole array instead of being sorted. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, const int* index) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int r = 0; r < 12; ++r) {
    const int at = index[(thread + r * kAll) % (kAll * 4)];
    sum += in[at];  // fault: uncoalesced-access
    //= sum += in[(at & 1023) / 32 + (thread + r * kAll) % (kAll * 15)];
  }
  out[thread] = sum;
}

int main() {
  const float* in = buffer(kAll * 16);
  const int* index = buffer<int>(kAll * 4, kAll * 16);
  float* out = buffer(kAll);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, index); });
}
