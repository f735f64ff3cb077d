/** Pairs of floats read one by one: two lanes share each bank; four lanes with stride four. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rounds) {
  __shared__ float pairs[2048];
  for (int i = threadIdx.x; i < 2048; i += blockDim.x) pairs[i] = in[i];
  __syncthreads();
  float sum = 0;
  for (int r = 0; r < rounds; ++r) {
    const int base = r * 37;
    sum += pairs[(base + threadIdx.x * 8) % 2048];  // fault: bank-conflicts
    //= sum += pairs[(base + threadIdx.x) % 2048];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 500); });
}
