/** A histogram in shared memory whose hot bin every lane hits. */
#include "harness.cuh"

__global__ void planted(const int* in, int* out, int rounds) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
    const int key = in[(thread + r * 640) % kAll] & 255;
    atomicAdd(&bins[key & 3], key);  // fault: atomic-contention
    //= atomicAdd(&bins[threadIdx.x], key);
  }
  __syncthreads();
  out[thread] = bins[threadIdx.x];
}

int main() {
  const int* in = buffer<int>(kAll, 1 << 20);
  int* out = buffer<int>(kAll, 1 << 20);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 60); });
}
