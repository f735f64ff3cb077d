// A thread owns eight columns and walks down rows: the sums of a column stay in its registers, where the published kernel
// adds them up in shared memory behind two barriers per 256 columns. One barrier per row is left, for the two sums of the
// row. The next row is on its way while this one is reduced. A second kernel adds what the blocks found, in the same order
// every time.
#pragma once

#include <cstdint>

struct Eight {
  float at[8];
};

__device__ inline Eight widened(uint4 bits) {
  const uint32_t pairs[4] = {bits.x, bits.y, bits.z, bits.w};
  Eight result;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    // bf16 is the upper half of a float.
    result.at[2 * i] = __uint_as_float(pairs[i] << 16);
    result.at[2 * i + 1] = __uint_as_float(pairs[i] & 0xffff0000u);
  }
  return result;
}

__device__ inline uint4 narrowed(const Eight &from) {
  uint4 bits;
  uint32_t *pairs = reinterpret_cast<uint32_t *>(&bits);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(from.at[2 * i], from.at[2 * i + 1]);
    pairs[i] = *reinterpret_cast<const uint32_t *>(&pair);
  }
  return bits;
}

template <int THREADS>
__global__ void __launch_bounds__(THREADS)
    backward_rows(floatX *__restrict__ dinp, float *__restrict__ partial, const floatX *__restrict__ dout,
                  const floatX *__restrict__ inp, const floatX *__restrict__ weight, const floatX *__restrict__ mean,
                  const floatX *__restrict__ rstd, int rows, int C) {
  constexpr int WARPS = THREADS / 32;
  __shared__ float2 parts[2][WARPS];
  const int groups = C / 8, column = threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool owns = column < groups;
  const uint4 zero = make_uint4(0, 0, 0, 0);
  const Eight w = widened(owns ? reinterpret_cast<const uint4 *>(weight)[column] : zero);
  Eight dw = {}, db = {};
  uint4 next_d = zero, next_x = zero, next_old = zero;
  float next_m = 0, next_s = 0;
  auto load = [&](int row) {
    if (row >= rows) return;
    next_m = (float)mean[row];
    next_s = (float)rstd[row];
    if (!owns) return;
    const int64_t place = (int64_t)row * groups + column;
    next_d = __ldcs(reinterpret_cast<const uint4 *>(dout) + place);
    next_x = __ldcs(reinterpret_cast<const uint4 *>(inp) + place);
    next_old = __ldcs(reinterpret_cast<const uint4 *>(dinp) + place);
  };
  load(blockIdx.x);
  int turn = 0;
  for (int row = blockIdx.x; row < rows; row += gridDim.x, turn ^= 1) {
    const float m = next_m, s = next_s;
    const Eight d = widened(next_d), x = widened(next_x);
    const uint4 old = next_old;
    load(row + gridDim.x);
    Eight norm;
    float2 sum = make_float2(0, 0);
#pragma unroll
    for (int i = 0; i < 8; i++) {
      norm.at[i] = (x.at[i] - m) * s;
      db.at[i] += d.at[i];
      dw.at[i] += d.at[i] * norm.at[i];
      sum.x += w.at[i] * d.at[i];
      sum.y += w.at[i] * d.at[i] * norm.at[i];
    }
    for (int step = 16; step > 0; step /= 2) {
      sum.x += __shfl_xor_sync(0xffffffff, sum.x, step);
      sum.y += __shfl_xor_sync(0xffffffff, sum.y, step);
    }
    if (lane == 0) parts[turn][warp] = sum;
    __syncthreads();
    sum = make_float2(0, 0);
#pragma unroll
    for (int i = 0; i < WARPS; i++) {
      sum.x += parts[turn][i].x;
      sum.y += parts[turn][i].y;
    }
    if (!owns) continue;
    const float plain = sum.x / C, along = sum.y / C;
    Eight result = widened(old);
#pragma unroll
    for (int i = 0; i < 8; i++) result.at[i] += (w.at[i] * d.at[i] - plain - norm.at[i] * along) * s;
    __stcs(reinterpret_cast<uint4 *>(dinp) + (int64_t)row * groups + column, narrowed(result));
  }
  if (!owns) return;
  float4 *to = reinterpret_cast<float4 *>(partial + (int64_t)blockIdx.x * 2 * C) + 2 * column;
  to[0] = make_float4(dw.at[0], dw.at[1], dw.at[2], dw.at[3]);
  to[1] = make_float4(dw.at[4], dw.at[5], dw.at[6], dw.at[7]);
  to += C / 4;
  to[0] = make_float4(db.at[0], db.at[1], db.at[2], db.at[3]);
  to[1] = make_float4(db.at[4], db.at[5], db.at[6], db.at[7]);
}

// 32 columns per block, 32 rows of threads that each add every 32nd block's part.
__global__ void __launch_bounds__(1024) backward_columns(floatX *__restrict__ dweight, floatX *__restrict__ dbias,
                                                         const float *__restrict__ partial, int blocks, int C) {
  __shared__ float parts[32][33];
  const int column = blockIdx.x * 32 + threadIdx.x % 32, slice = threadIdx.x / 32;
  float sum = 0;
  if (column < 2 * C)
    for (int block = slice; block < blocks; block += 32) sum += partial[(int64_t)block * 2 * C + column];
  parts[slice][threadIdx.x % 32] = sum;
  __syncthreads();
  sum = parts[threadIdx.x % 32][slice];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
  const int own = blockIdx.x * 32 + slice;
  if (threadIdx.x % 32 != 0 || own >= 2 * C) return;
  floatX *to = own < C ? dweight + own : dbias + own - C;
  *to = (floatX)((float)*to + sum);
}

template <int THREADS>
void backward_by_columns(floatX *dinp, floatX *dweight, floatX *dbias, float *scratch, const floatX *dout, const floatX *inp,
                         const floatX *weight, const floatX *mean, const floatX *rstd, int rows, int C, int blocks_per_sm) {
  const int blocks = min(rows, blocks_per_sm * cuda_num_SMs);
  backward_rows<THREADS><<<blocks, THREADS>>>(dinp, scratch, dout, inp, weight, mean, rstd, rows, C);
  backward_columns<<<(2 * C + 31) / 32, 1024>>>(dweight, dbias, scratch, blocks, C);
}

void layernorm_backward_columns(floatX *dinp, floatX *dweight, floatX *dbias, float *scratch, const floatX *dout,
                                const floatX *inp, const floatX *weight, const floatX *mean, const floatX *rstd, int B, int T,
                                int C, int blocks_per_sm) {
  const int rows = B * T;
#define PAWL_WITH(threads)                                                                                             \
  return backward_by_columns<threads>(dinp, dweight, dbias, scratch, dout, inp, weight, mean, rstd, rows, C, blocks_per_sm)
  if (C % 8 == 0 && C <= 1024) PAWL_WITH(128);
  if (C % 8 == 0 && C <= 1792) PAWL_WITH(224);
  if (C % 8 == 0 && C <= 4096) PAWL_WITH(512);
#undef PAWL_WITH
  layernorm_backward(10, dinp, dweight, dbias, scratch, dout, inp, weight, mean, rstd, B, T, C, 512);
}
