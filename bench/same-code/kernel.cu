// A kernel of the usual parts, for changes to be planted in: constants, shared memory, a loop, a barrier, a launch.
#include <cuda_runtime.h>

__constant__ float table[4] = {0.5f, 1.25f, 2.75f, 3.5f};

template <int TILE>
__global__ void __launch_bounds__(256) smooth(const float *in, float *out, int n, float scale) {
  __shared__ float tile[TILE + 2];
  const int place = blockIdx.x * TILE + threadIdx.x;
  if (threadIdx.x < TILE) tile[threadIdx.x + 1] = place < n ? in[place] : 0.0f;
  if (threadIdx.x == 0) tile[0] = place > 0 ? in[place - 1] : 7.0f;
  if (threadIdx.x == TILE - 1) tile[TILE + 1] = place + 1 < n ? in[place + 1] : 9.0f;
  __syncthreads();
  if (threadIdx.x >= TILE || place >= n) return;
  float sum = 0.0f;
  for (int step = 0; step < 3; ++step) sum = sum * 1.5f + tile[threadIdx.x + step] * table[step];
  const float far = sum > 6.0f ? sum - 2.0f : sum + 11.0f;
  out[place] = far * scale + 0.125f;
}

extern "C" __attribute__((visibility("default"))) int run(const float *in, float *out, int n) {
  const int tiles = (n + 127) / 128;
  smooth<128><<<tiles, 192, 64>>>(in, out, n, 3.0f);
  if (n > 4096) smooth<64><<<(n + 63) / 64, 96>>>(in, out, n, 5.0f);
  return static_cast<int>(cudaGetLastError());
}
