// A row per warp, all of it asked for at once, with weight and bias behind it, so that they arrive while the row is reduced.
// HINTS: 0 none, 1 rows are read and written only once, 2 only what is written is.
#pragma once
#include <cstdint>

namespace at_once {

template <int CHUNKS, int WARPS, int HINTS>
__global__ void __launch_bounds__(WARPS * 32)
    layernorm(float *__restrict__ out, float *__restrict__ mean, float *__restrict__ rstd, const float *__restrict__ inp,
              const float *__restrict__ weight, const float *__restrict__ bias, int rows) {
  constexpr int C = CHUNKS * 128;
  const int lane = threadIdx.x % 32, row = blockIdx.x * WARPS + threadIdx.x / 32;
  if (row >= rows) return;
  float4 x[CHUNKS], w[CHUNKS];
  const float4 *from = reinterpret_cast<const float4 *>(inp + (int64_t)row * C) + lane;
#pragma unroll
  for (int i = 0; i < CHUNKS; i++) x[i] = HINTS == 1 ? __ldcs(from + 32 * i) : __ldg(from + 32 * i);
#pragma unroll
  for (int i = 0; i < CHUNKS; i++) w[i] = __ldg(reinterpret_cast<const float4 *>(weight) + lane + 32 * i);
  auto over_warp = [](float sum) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
    return sum;
  };
  float sum = 0;
#pragma unroll
  for (int i = 0; i < CHUNKS; i++) sum += (x[i].x + x[i].y) + (x[i].z + x[i].w);
  const float m = over_warp(sum) / C;
  float squares = 0;
#pragma unroll
  for (int i = 0; i < CHUNKS; i++) {
    x[i].x -= m, x[i].y -= m, x[i].z -= m, x[i].w -= m;
    squares += (x[i].x * x[i].x + x[i].y * x[i].y) + (x[i].z * x[i].z + x[i].w * x[i].w);
  }
  const float s = rsqrtf(over_warp(squares) / C + 1e-5f);
  float4 *to = reinterpret_cast<float4 *>(out + (int64_t)row * C) + lane;
#pragma unroll
  for (int i = 0; i < CHUNKS; i++) {
    const float4 b = __ldg(reinterpret_cast<const float4 *>(bias) + lane + 32 * i);
    const float4 y = make_float4(x[i].x * s * w[i].x + b.x, x[i].y * s * w[i].y + b.y, x[i].z * s * w[i].z + b.z,
                                 x[i].w * s * w[i].w + b.w);
    if (HINTS > 0) __stcs(to + 32 * i, y);
    else to[32 * i] = y;
  }
  if (lane == 0) {
    mean[row] = m;
    rstd[row] = s;
  }
}

// False where a row does not come in whole vectors of a warp.
template <int WARPS, int HINTS>
bool launch(float *out, float *mean, float *rstd, const float *inp, const float *weight, const float *bias, int rows, int C,
            cudaStream_t stream) {
  constexpr int CHUNKS = 6;
  if (C != CHUNKS * 128) return false;
  layernorm<CHUNKS, WARPS, HINTS>
      <<<(rows + WARPS - 1) / WARPS, WARPS * 32, 0, stream>>>(out, mean, rstd, inp, weight, bias, rows);
  return true;
}

}  // namespace at_once
