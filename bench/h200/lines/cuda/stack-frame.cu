/** A buffer on the stack whose address is handed to a function that is not inlined. */
#include "harness.cuh"

__device__ __noinline__ void step(float* state, int at) {
  state[at % 16] = state[(at + 3) % 16] * 0.5f + 1.0f;  // fault: register-spill
  //= state[0] = state[0] * 0.5f + 1.0f;
}

__global__ void planted(float* out, int rounds) {
  float state[16];
  for (int k = 0; k < 16; ++k) state[k] = threadIdx.x * k;
  for (int r = 0; r < rounds; ++r) {
    step(state, r + threadIdx.x);  // faulty
    //= state[0] = state[0] * 0.5f + 1.0f + state[1];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = state[3] + state[0];
}

int main() {
  float* out = buffer(kAll);
  return run([&] { planted<<<kBlocks, kThreads>>>(out, 200); });
}
