/** The next address comes out of memory. */
#include "harness.cuh"

__global__ void planted(const int* in, int* out, int rounds) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int at = thread;
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    at = in[at];  // fault: long-scoreboard
    //= at = (at + 4099) % kAll;
    sum += at;
  }
  out[thread] = sum;
}

int main() {
  const int* in = buffer<int>(kAll, kAll);
  int* out = buffer<int>(kAll, 1 << 20);
  return run([&] { planted<<<kBlocks, kThreads>>>(in, out, 40); });
}
