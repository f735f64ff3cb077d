/** A literal without f: the step goes to double and back. */
#include "harness.cuh"

__global__ void planted(float* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = thread * 0.001f, y = x + 1.0f;
  for (int r = 0; r < rounds; ++r) {
    y = fmaf(y, 0.999f, 0.5f);
    x = x * 1.0000001 + 0.5;  // fault: stray-fp64
    //= x = x * 1.0000001f + 0.5f;
    y += x;
  }
  out[thread] = x + y;
}

int main() {
  float* out = buffer(kAll);
  return run([&] { planted<<<kBlocks, kThreads>>>(out, 200); });
}
