/** A copy of bytes, one at a time. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int bytes) {
  const unsigned char* from = reinterpret_cast<const unsigned char*>(in);
  unsigned char* to = reinterpret_cast<unsigned char*>(out);
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = thread; i < bytes / 16; i += gridDim.x * blockDim.x) {
    for (int k = 0; k < 16; ++k) to[i * 16 + k] = from[i * 16 + k];  // fault: uncoalesced-access
    //= reinterpret_cast<int4*>(to)[i] = reinterpret_cast<const int4*>(from)[i];
  }
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, kAll * 16); });
}
