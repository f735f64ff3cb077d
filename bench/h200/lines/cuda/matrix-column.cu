/** A naive product that walks down columns of A across lanes. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int n) {
  const int x = blockIdx.x % (n / kThreads) * kThreads + threadIdx.x;
  const int y = blockIdx.x / (n / kThreads);
  const float* b = in + n * n;
  float sum = 0;
  for (int k = 0; k < n; k += 4) {
    const float right = b[k * n + y];
    sum += right * in[x * n + k];  // fault: uncoalesced-access
    //= sum += right * in[k * n + x];
  }
  out[y * n + x] = sum;
}

int main() {
  const float* in = buffer(1024 * 1024 * 2);
  float* out = buffer(1024 * 1024);
  return run([&] { planted<<<4 * 264, kThreads>>>(in, out, 1024); });
}
