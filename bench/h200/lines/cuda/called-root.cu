/** A function that is not inlined computes exact roots and quotients. */
#include "harness.cuh"

__device__ __noinline__ float normalise(float x, float y) {
  const float length = x * x + y * y + 1.0f;
  return x / sqrtf(length);  // fault: slow-instruction
  //= return x * rsqrtf(length);
}

__global__ void planted(const float* in, float* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[thread];
  for (int r = 0; r < rounds; ++r) {
    x = normalise(x, r * 0.5f) + 0.25f;
  }
  out[thread] = x;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 80); });
}
