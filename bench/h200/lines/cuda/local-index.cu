/** An array in registers is indexed by a value that only the run knows. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  float acc[32];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 32; ++k) acc[k] = in[thread + k];
  for (int r = 0; r < rounds; ++r) {
    const int at = (r * 7 + threadIdx.x) % 32;
    acc[at] = acc[at] * 0.5f + r;  // fault: register-spill
    //= acc[0] = acc[0] * 0.5f + r + at;
  }
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += acc[k];
  out[thread] = sum;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 300); });
}
