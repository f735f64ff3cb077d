/** A transposed store: every lane writes into a sector of its own. */
#include "harness.cuh"

__global__ void planted(const float* in, float* out, int rows) {
  const int columns = 4096;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < 15; ++r) {
    const int i = thread + r * kAll;
    const int row = i / columns, column = i % columns;
    const float value = in[i] * 2.0f;
    out[column * rows + row] = value;  // fault: uncoalesced-access
    //= out[row * columns + column] = value;
  }
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 1024); });
}
