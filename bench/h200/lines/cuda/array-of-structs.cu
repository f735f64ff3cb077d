/** One member of a struct of eight floats is read. */
#include "harness.cuh"

struct Point {
  float x, y, z, w, r, g, b, a;
};

__global__ void planted(const float* in, float* out, int points) {
  const Point* array = reinterpret_cast<const Point*>(in);
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < points; i += gridDim.x * blockDim.x) {
    sum += array[i].z;  // fault: uncoalesced-access
    //= sum += in[i + points * 2];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum + array[0].a;
}

int main() {
  const float* in = buffer(kAll * 16);
  float* out = buffer(kAll * 16);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, kAll * 2); });
}
