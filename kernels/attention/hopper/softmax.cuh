// The online softmax of one warp's rows, in the registers where the products leave the scores and expect the
// weights. BLOCK_N keys at a time.
#ifndef PAWL_ATTENTION_SOFTMAX_CUH
#define PAWL_ATTENTION_SOFTMAX_CUH

#include <math.h>
#include <stdint.h>

#include "ptx.cuh"

// Of a product's 64 rows a thread has row lane / 4 of its warp's sixteen in elements 4j and 4j + 1, and the row
// eight below in the other two; j counts groups of eight columns.
typedef float Scores[BLOCK_N / 2];
typedef uint32_t Weights[BLOCK_N / 16][4];

struct Softmax {
  float largest[2];     // what the exponents of the thread's two rows are relative to, in units of log2
  float total[2];       // over the thread's own columns only
  float correction[2];  // what was summed before is to be multiplied by, where raise() or weigh() say so
};

// Below every score, and yet finite: subtracting it from -inf does not make NaN of what should be zero.
constexpr float NOTHING_SEEN = -1e30f;

DEVICE void start(Softmax &softmax) {
#pragma unroll
  for (int half = 0; half < 2; half++) {
    softmax.largest[half] = NOTHING_SEEN;
    softmax.total[half] = 0;
  }
}

template <bool CAUSAL>
DEVICE void mask(Scores &score, int first_key, int row, int length) {
  const int column = first_key + threadIdx.x % 4 * 2;
#pragma unroll
  for (int i = 0; i < BLOCK_N / 2; i++) {
    const int key = column + i / 4 * 8 + i % 2;
    if (key >= length || (CAUSAL && key > row + i / 2 % 2 * 8)) score[i] = -INFINITY;
  }
}

// The largest of the thread's own scores in its two rows, in units of log2.
DEVICE void find_tops(float (&top)[2], const Scores &score, float scale) {
  float found[4];
#pragma unroll
  for (int i = 0; i < 4; i++) found[i] = score[i];
#pragma unroll
  for (int i = 4; i < BLOCK_N / 2; i++) found[i % 4] = fmaxf(found[i % 4], score[i]);
#pragma unroll
  for (int half = 0; half < 2; half++) top[half] = fmaxf(found[half * 2], found[half * 2 + 1]) * scale;
}

// Makes `largest` the true maximum of the rows so far.
DEVICE void raise(Softmax &softmax, float (&top)[2]) {
#pragma unroll
  for (int half = 0; half < 2; half++) {
    top[half] = fmaxf(top[half], from_lane_xor(top[half], 1));
    top[half] = fmaxf(top[half], from_lane_xor(top[half], 2));
    const float after = fmaxf(softmax.largest[half], top[half]);
    softmax.correction[half] = power_of_two(softmax.largest[half] - after);
    softmax.largest[half] = after;
    softmax.total[half] *= softmax.correction[half];
  }
}

// 2^x on the units for fused multiply and add, to a relative 7.5e-5, which f16 weights do not see: a polynomial (least
// maximal error on [-1/2, 1/2]) for what is left of x beside a whole number. NaN stays NaN, and from 2^128 on the
// polynomial is far off its range, but as large as the limit on weights has to see it.
DEVICE float power_of_two_by_polynomial(float x) {
  constexpr float ROUNDING = 12582912.0f;  // 1.5 · 2^23: a float beside it has no bits below one
  const float shifted = fminf(fmaxf(x, -126.0f), 127.0f) + ROUNDING, rest = x - (shifted - ROUNDING);
  const float y = fmaf(fmaf(fmaf(0.0551716648f, rest, 0.242611125f), rest, 0.693260968f), rest, 0.999928057f);
  return x < -126.0f ? 0.0f : y * whole_power_of_two(shifted);
}

// The thread's scores from number FROM up to TO become weights 2^(scale·score - largest), and are added to `partial`.
template <int FROM, int TO>
DEVICE void take_powers(Scores &score, float (&partial)[2][2], const Softmax &softmax, float scale) {
#pragma unroll
  for (int i = FROM; i < TO; i++) {
    const float x = fmaf(score[i], scale, -softmax.largest[i / 2 % 2]);
    const bool by_polynomial = POLY > 0 && i % (POLY > 0 ? POLY : 1) == POLY - 1;
    score[i] = by_polynomial ? power_of_two_by_polynomial(x) : power_of_two(x);
    partial[i / 2 % 2][i % 2] += score[i];
  }
}

DEVICE void add_up(float (&sum)[2], const float (&partial)[2][2]) {
#pragma unroll
  for (int half = 0; half < 2; half++) sum[half] = partial[half][0] + partial[half][1];
  pin(sum);  // here: left to itself the compiler adds up twice, once for each way on from here
}

DEVICE void take_all_powers(Scores &score, float (&sum)[2], const Softmax &softmax, float scale) {
  float partial[2][2] = {};
  take_powers<0, BLOCK_N / 2>(score, partial, softmax, scale);
  add_up(sum, partial);
}

// Scores become weights, and the answer is whether what was summed before has to be multiplied by `correction`
// first. `largest` follows the true maximum only when some row of the warp has left it behind by more than
// MARGIN: until then weights of up to 2^MARGIN are as exact in f16 as those up to 1, and neither the exchange
// between lanes nor the correction is needed.
DEVICE bool weigh(Scores &score, Softmax &softmax, float scale) {
  constexpr float MARGIN = 8;
  float top[2], sum[2];
  find_tops(top, score, scale);
  const bool outgrown =
      any_in_warp(top[0] > softmax.largest[0] + MARGIN || top[1] > softmax.largest[1] + MARGIN);
  if (outgrown) raise(softmax, top);
  take_all_powers(score, sum, softmax, scale);
#pragma unroll
  for (int half = 0; half < 2; half++) softmax.total[half] += sum[half];
  return outgrown;
}

// What a thread's weights of a row may add up to, where nobody looked for their maximum. At most: then each of them fits
// f16; NaN is no such sum, and neither is what a row comes to that had seen nothing before. At least: then the largest
// is not so small that f16 would be too coarse for it.
constexpr float LARGEST_SUM = 32768, SMALLEST_SUM = 1.0f / 64;

// The accumulators of 16 neighbouring keys hold, element for element, a 16-column operand of the next product.
DEVICE void round_weights(Weights &weight, const Scores &score) {
#pragma unroll
  for (int n = 0; n < BLOCK_N / 16; n++)
#pragma unroll
    for (int i = 0; i < 4; i++) weight[n][i] = pack_halves(score[n * 8 + i * 2], score[n * 8 + i * 2 + 1]);
}

#endif
