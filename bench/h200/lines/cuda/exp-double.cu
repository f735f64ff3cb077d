/** An exponential in double for a float. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, float shift) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[thread], sum = 0;
  for (int r = 0; r < 16; ++r) {
    const float y = x - shift * r;
    sum += exp(static_cast<double>(y));  // fault: stray-fp64
    //= sum += __expf(y);
  }
  out[thread] = sum;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 0.01f); });
}
