// A row per warp, held in registers between its three uses: memory is read once, nothing goes through shared memory, and
// no block waits for another warp. ROWS rows of a warp share their loads of weight and bias.
#pragma once

template <int CHUNKS, int ROWS, int WARPS>
__global__ void __launch_bounds__(WARPS * 32)
    layernorm_rows(float *__restrict__ out, float *__restrict__ mean, float *__restrict__ rstd, const float *__restrict__ inp,
                   const float *__restrict__ weight, const float *__restrict__ bias, int rows, int C) {
  const int lane = threadIdx.x % 32;
  const int first = (blockIdx.x * WARPS + threadIdx.x / 32) * ROWS;
  float4 x[ROWS][CHUNKS];
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    const float4 *from = reinterpret_cast<const float4 *>(inp + (int64_t)min(first + r, rows - 1) * C) + lane;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) x[r][i] = __ldcs(from + 32 * i);
  }
  float m[ROWS], s[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) sum += (x[r][i].x + x[r][i].y) + (x[r][i].z + x[r][i].w);
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
    m[r] = sum / C;
    float squares = 0;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
      const float a = x[r][i].x - m[r], b = x[r][i].y - m[r], c = x[r][i].z - m[r], d = x[r][i].w - m[r];
      squares += (a * a + b * b) + (c * c + d * d);
    }
    for (int step = 16; step > 0; step /= 2) squares += __shfl_xor_sync(0xffffffff, squares, step);
    s[r] = rsqrtf(squares / C + 1e-5f);
  }
#pragma unroll
  for (int i = 0; i < CHUNKS; i++) {
    const float4 w = __ldg(reinterpret_cast<const float4 *>(weight) + lane + 32 * i);
    const float4 b = __ldg(reinterpret_cast<const float4 *>(bias) + lane + 32 * i);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      if (first + r >= rows) continue;
      float4 y;
      y.x = (x[r][i].x - m[r]) * s[r] * w.x + b.x;
      y.y = (x[r][i].y - m[r]) * s[r] * w.y + b.y;
      y.z = (x[r][i].z - m[r]) * s[r] * w.z + b.z;
      y.w = (x[r][i].w - m[r]) * s[r] * w.w + b.w;
      __stcs(reinterpret_cast<float4 *>(out + (int64_t)(first + r) * C) + lane + 32 * i, y);
    }
  }
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    if (lane != 0 || first + r >= rows) continue;
    __stcs(mean + first + r, m[r]);
    __stcs(rstd + first + r, s[r]);
  }
}

template <int ROWS, int WARPS>
void layernorm_in_registers(float *out, float *mean, float *rstd, const float *inp, const float *weight, const float *bias,
                            int B, int T, int C) {
  const int rows = B * T;
  const int grid = (rows + ROWS * WARPS - 1) / (ROWS * WARPS);
  if (C % 128 != 0 || C > 1024) return layernorm_forward5(out, mean, rstd, inp, weight, bias, B, T, C, 256);
  switch (C / 128) {
#define PAWL_CHUNKS(n) \
  case n: layernorm_rows<n, ROWS, WARPS><<<grid, WARPS * 32>>>(out, mean, rstd, inp, weight, bias, rows, C); break;
    PAWL_CHUNKS(1) PAWL_CHUNKS(2) PAWL_CHUNKS(3) PAWL_CHUNKS(4) PAWL_CHUNKS(5) PAWL_CHUNKS(6) PAWL_CHUNKS(7) PAWL_CHUNKS(8)
#undef PAWL_CHUNKS
  }
}

// Every warp walks over rows: while one is reduced and written, the next is on its way. Weight and bias stay in registers.
template <int CHUNKS, int WARPS>
__global__ void __launch_bounds__(WARPS * 32, 16 / WARPS)
    layernorm_walk(float *__restrict__ out, float *__restrict__ mean, float *__restrict__ rstd, const float *__restrict__ inp,
                   const float *__restrict__ weight, const float *__restrict__ bias, int rows, int C) {
  const int lane = threadIdx.x % 32, step = gridDim.x * WARPS;
  float4 x[CHUNKS], w[CHUNKS], b[CHUNKS];
  int row = blockIdx.x * WARPS + threadIdx.x / 32;
  auto load = [&](int at) {
    const float4 *from = reinterpret_cast<const float4 *>(inp + (int64_t)min(at, rows - 1) * C) + lane;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) x[i] = __ldcs(from + 32 * i);
  };
  load(row);
#pragma unroll
  for (int i = 0; i < CHUNKS; i++) {
    w[i] = __ldg(reinterpret_cast<const float4 *>(weight) + lane + 32 * i);
    b[i] = __ldg(reinterpret_cast<const float4 *>(bias) + lane + 32 * i);
  }
  for (; row < rows; row += step) {
    float4 y[CHUNKS];
    float sum = 0;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
      y[i] = x[i];
      sum += (y[i].x + y[i].y) + (y[i].z + y[i].w);
    }
    if (row + step < rows) load(row + step);
    for (int part = 16; part > 0; part /= 2) sum += __shfl_xor_sync(0xffffffff, sum, part);
    const float m = sum / C;
    float squares = 0;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
      y[i].x -= m, y[i].y -= m, y[i].z -= m, y[i].w -= m;
      squares += (y[i].x * y[i].x + y[i].y * y[i].y) + (y[i].z * y[i].z + y[i].w * y[i].w);
    }
    for (int part = 16; part > 0; part /= 2) squares += __shfl_xor_sync(0xffffffff, squares, part);
    const float s = rsqrtf(squares / C + 1e-5f);
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
      const float4 result = make_float4(y[i].x * s * w[i].x + b[i].x, y[i].y * s * w[i].y + b[i].y,
                                        y[i].z * s * w[i].z + b[i].z, y[i].w * s * w[i].w + b[i].w);
      __stcs(reinterpret_cast<float4 *>(out + (int64_t)row * C) + lane + 32 * i, result);
    }
    if (lane == 0) {
      __stcs(mean + row, m);
      __stcs(rstd + row, s);
    }
  }
}

template <int WARPS>
void layernorm_walking(float *out, float *mean, float *rstd, const float *inp, const float *weight, const float *bias, int B,
                       int T, int C) {
  if (C != 768) return layernorm_in_registers<1, 8>(out, mean, rstd, inp, weight, bias, B, T, C);
  layernorm_walk<6, WARPS><<<132 * 16 / WARPS, WARPS * 32>>>(out, mean, rstd, inp, weight, bias, B * T, C);
}
