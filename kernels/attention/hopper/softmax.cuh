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
  float largest[2];  // of the thread's two rows, in units of log2
  float total[2];    // over the thread's own columns only
};

template <bool CAUSAL>
DEVICE void mask(Scores &score, int first_key, int row, int length) {
  const int column = first_key + threadIdx.x % 4 * 2;
#pragma unroll
  for (int i = 0; i < BLOCK_N / 2; i++) {
    const int key = column + i / 4 * 8 + i % 2;
    if (key >= length || (CAUSAL && key > row + i / 2 % 2 * 8)) score[i] = -INFINITY;
  }
}

// While a row has seen nothing but -inf, subtracting it would make NaN of what should be zero.
DEVICE float finite(float largest) { return largest == -INFINITY ? 0.0f : largest; }

// Scores become weights 2^(scale·score - largest), and the answer is whether what was summed before has to be
// multiplied by `correction` first. `largest` follows the true maximum only when some row of the warp has left
// it behind by more than MARGIN: until then weights of up to 2^MARGIN are as exact in f16 as those up to 1, and
// neither the exchange between lanes nor the correction is needed.
DEVICE bool weigh(Scores &score, Softmax &softmax, float (&correction)[2], float scale) {
  constexpr float MARGIN = 8;
  float top[2];
#pragma unroll
  for (int half = 0; half < 2; half++) {
    float even = score[half * 2], odd = score[half * 2 + 1];
#pragma unroll
    for (int i = 4 + half * 2; i < BLOCK_N / 2; i += 4) {
      even = fmaxf(even, score[i]);
      odd = fmaxf(odd, score[i + 1]);
    }
    top[half] = fmaxf(even, odd) * scale;
  }
  const bool outgrown =
      any_in_warp(top[0] > softmax.largest[0] + MARGIN || top[1] > softmax.largest[1] + MARGIN);
  if (outgrown) {
#pragma unroll
    for (int half = 0; half < 2; half++) {
      top[half] = fmaxf(top[half], from_lane_xor(top[half], 1));
      top[half] = fmaxf(top[half], from_lane_xor(top[half], 2));
      const float after = fmaxf(softmax.largest[half], top[half]);
      correction[half] = power_of_two(softmax.largest[half] - finite(after));
      softmax.largest[half] = after;
      softmax.total[half] *= correction[half];
    }
  }
  const float shift[2] = {finite(softmax.largest[0]), finite(softmax.largest[1])};
  float sum[2][2] = {};
#pragma unroll
  for (int i = 0; i < BLOCK_N / 2; i++) {
    score[i] = power_of_two(fmaf(score[i], scale, -shift[i / 2 % 2]));
    sum[i / 2 % 2][i % 2] += score[i];
  }
#pragma unroll
  for (int half = 0; half < 2; half++) softmax.total[half] += sum[half][0] + sum[half][1];
  return outgrown;
}

// The accumulators of 16 neighbouring keys hold, element for element, a 16-column operand of the next product.
DEVICE void round_weights(Weights &weight, const Scores &score) {
#pragma unroll
  for (int n = 0; n < BLOCK_N / 16; n++)
#pragma unroll
    for (int i = 0; i < 4; i++) weight[n][i] = pack_halves(score[n * 8 + i * 2], score[n * 8 + i * 2 + 1]);
}

#endif
