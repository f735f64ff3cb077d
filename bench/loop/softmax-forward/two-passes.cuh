// A row per block, read twice: maximum and sum in one pass of four-wide loads, the results in a second one, which finds the
// row in the L2 because few blocks run at a time. Rows begin at any element: what lies before the first and after the last
// group of four is taken one by one.
#pragma once

#include <cstdint>

struct Running {
  float most, sum;
};

__device__ inline Running joined(Running a, Running b) {
  const float most = fmaxf(a.most, b.most);
  if (most == -INFINITY) return {most, 0};
  return {most, a.sum * __expf(a.most - most) + b.sum * __expf(b.most - most)};
}

__device__ inline void take(Running &running, float x) {
  if (x == -INFINITY) return;
  if (x > running.most) {
    running.sum *= __expf(running.most - x);
    running.most = x;
  }
  running.sum += __expf(x - running.most);
}

__device__ inline void take(Running &running, float4 x) {
  const float most = fmaxf(fmaxf(x.x, x.y), fmaxf(x.z, x.w));
  if (most == -INFINITY) return;
  if (most > running.most) {
    running.sum *= __expf(running.most - most);
    running.most = most;
  }
  running.sum += (__expf(x.x - running.most) + __expf(x.y - running.most)) +
                 (__expf(x.z - running.most) + __expf(x.w - running.most));
}

template <int THREADS> __device__ Running of_block(Running running) {
  __shared__ Running parts[THREADS / 32];
  for (int step = 16; step > 0; step /= 2)
    running = joined(running, {__shfl_xor_sync(0xffffffff, running.most, step), __shfl_xor_sync(0xffffffff, running.sum, step)});
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = running;
  __syncthreads();
  running = threadIdx.x % 32 < THREADS / 32 ? parts[threadIdx.x % 32] : Running{-INFINITY, 0};
  for (int step = 16; step > 0; step /= 2)
    running = joined(running, {__shfl_xor_sync(0xffffffff, running.most, step), __shfl_xor_sync(0xffffffff, running.sum, step)});
  return running;
}

template <int THREADS>
__global__ void __launch_bounds__(THREADS) softmax_two_passes(float *__restrict__ out, const float *__restrict__ inp, int C) {
  const int64_t row = (int64_t)blockIdx.x * C;
  const int ahead = min(C, (int)((4 - row % 4) % 4)), groups = (C - ahead) / 4, behind = C - ahead - 4 * groups;
  const float *x = inp + row;
  const float4 *x4 = reinterpret_cast<const float4 *>(x + ahead);
  Running running = {-INFINITY, 0};
  if (threadIdx.x < ahead) take(running, x[threadIdx.x]);
  if (threadIdx.x < behind) take(running, x[C - behind + threadIdx.x]);
#pragma unroll 4
  for (int i = threadIdx.x; i < groups; i += THREADS) take(running, x4[i]);
  running = of_block<THREADS>(running);
  const float most = running.most, scale = 1 / running.sum;
  float *y = out + row;
  float4 *y4 = reinterpret_cast<float4 *>(y + ahead);
  if (threadIdx.x < ahead) y[threadIdx.x] = __expf(x[threadIdx.x] - most) * scale;
  if (threadIdx.x < behind) y[C - behind + threadIdx.x] = __expf(x[C - behind + threadIdx.x] - most) * scale;
#pragma unroll 4
  for (int i = threadIdx.x; i < groups; i += THREADS) {
    const float4 v = __ldcs(x4 + i);
    __stcs(y4 + i, make_float4(__expf(v.x - most) * scale, __expf(v.y - most) * scale, __expf(v.z - most) * scale,
                               __expf(v.w - most) * scale));
  }
}

void softmax_twice(float *out, const float *inp, int N, int C) {
  softmax_two_passes<1024><<<N, 1024>>>(out, inp, C);
}
