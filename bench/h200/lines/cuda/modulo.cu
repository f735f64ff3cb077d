/** A remainder in the index of every access. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, unsigned length) {
  __shared__ float ring[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) ring[i] = in[i];
  __syncthreads();
  float sum = 0;
  unsigned at = threadIdx.x;
  for (int r = 0; r < 200; ++r) {
    at = (at + 97) % length;  // fault: slow-instruction
    //= at = (at + 97) & (1023);
    sum += ring[at];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 1023); });
}
