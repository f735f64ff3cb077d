/** A maximum by compare-and-swap in a loop on few addresses. */
#include "harness.cuh"

__global__ void planted(const int* in, int* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int best = 0;
  for (int r = 0; r < rounds; ++r) {
    best = max(best, in[(thread + r * 64) % kAll]);
    int seen = out[thread % 64], wanted = 0;
    do { wanted = seen; seen = atomicCAS(&out[thread % 64], wanted, wanted + 1); } while (seen != wanted);  // fault: atomic-contention
    //= if (seen < 0) atomicMax(&out[thread % 64], best);
  }
  out[64 + thread] = best;
}

int main() {
  const int* in = buffer<int>(kAll, 1 << 20);
  int* out = buffer<int>(kAll + 64, 1 << 20);
  return run([&] { planted<<<264, 64>>>(in, out, 2); });
}
