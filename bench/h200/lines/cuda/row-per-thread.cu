/** Each thread walks along a row of its own; neighbours are a row apart. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float largest = -1e30f;
  for (int column = 0; column < 16; ++column) {
    const float value = in[row * width + column];  // fault: uncoalesced-access
    //= const float value = in[column * kAll + row];
    largest = fmaxf(largest, value);
  }
  out[row] = largest;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 16); });
}
