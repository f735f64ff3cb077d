// The two products of a block of keys, as a warpgroup issues them.
#ifndef PAWL_ATTENTION_HOPPER_PRODUCTS_CUH
#define PAWL_ATTENTION_HOPPER_PRODUCTS_CUH

#include "layout.cuh"
#include "softmax.cuh"

typedef float Output[D / 2];

// A wgmma descriptor for panels of 128-byte rows under the 128-byte swizzle: eight rows (1024 bytes) to the next
// group, whichever way the operand runs; `leading` bytes to the next 64 columns where columns are contiguous.
// Only the low word differs between operands: a step of so many bytes adds a sixteenth of them to it.
DEVICE uint32_t low_word(uint32_t address, uint32_t leading) { return address >> 4 | leading >> 4 << 16; }
DEVICE uint64_t descriptor(uint32_t low) { return uint64_t(1u << 30 | 1024 >> 4) << 32 | low; }

// A warp's queries, sixteen columns at a time: in the registers where a product takes its first operand from.
typedef uint32_t Queries[D / 16][4];

DEVICE void hold_queries(Queries &held, uint32_t queries) {
  const unsigned lane = lane_here(), first_row = threadIdx.x / 32 % 4 * 16;
#pragma unroll
  for (int d = 0; d < D / 16; d++)
    load_matrices(held[d], swizzled(queries + d / 4 * Q_PANEL_BYTES, first_row + lane % 16, d % 4 * 2 + lane / 16));
}

DEVICE void multiply_keys(Scores &score, const Queries &held, uint32_t k) {
  products_begin();
#pragma unroll
  for (int d = 0; d < D / 16; d++)
    multiply_registers<false>(score, held[d], descriptor(k + (d / 4 * KV_PANEL_BYTES + d % 4 * 32) / 16), d > 0);
  products_commit();
}

DEVICE void multiply_keys(Scores &score, uint32_t q, uint32_t k) {
  products_begin();
#pragma unroll
  for (int d = 0; d < D / 16; d++)
    multiply_shared(score, descriptor(q + (d / 4 * Q_PANEL_BYTES + d % 4 * 32) / 16),
                    descriptor(k + (d / 4 * KV_PANEL_BYTES + d % 4 * 32) / 16), d > 0);
  products_commit();
}

// A tile's first values are not added to what is there, which is the output of the tile before.
DEVICE void multiply_values(Output &out, const Weights &weight, uint32_t v, bool add) {
  products_begin();
#pragma unroll
  for (int n = 0; n < BLOCK_N / 16; n++)
    multiply_registers<true>(out, weight[n], descriptor(v + n * ROW_BYTES), add || n > 0);
  products_commit();
}

DEVICE void multiply_keys_alone(Scores &score, const Queries &held, uint32_t keys) {
  const unsigned lane = lane_here();
#pragma unroll
  for (int i = 0; i < BLOCK_N / 2; i++) score[i] = 0;
#pragma unroll
  for (int d = 0; d < D / 16; d++) {
#pragma unroll
    for (int n = 0; n < BLOCK_N / 8; n += 2) {
      uint32_t key[4];
      load_matrices(key, swizzled(keys + d / 4 * KV_PANEL_BYTES, n * 8 + lane % 8 + lane / 16 * 8,
                                  d % 4 * 2 + lane / 8 % 2));
      multiply_in_warp(score + n * 4, held[d], key[0], key[1]);
      multiply_in_warp(score + n * 4 + 4, held[d], key[2], key[3]);
    }
  }
}

// The warp's own scores once more, into the same registers, without the other warps of the group.
DEVICE void multiply_keys_alone(Scores &score, uint32_t queries, uint32_t keys) {
  const unsigned lane = lane_here(), first_row = threadIdx.x / 32 % 4 * 16;
#pragma unroll
  for (int i = 0; i < BLOCK_N / 2; i++) score[i] = 0;
#pragma unroll 1  // rarely run: few registers matter more than speed
  for (int d = 0; d < D / 16; d++) {
    uint32_t query[4];
    load_matrices(query, swizzled(queries + d / 4 * Q_PANEL_BYTES, first_row + lane % 16, d % 4 * 2 + lane / 16));
#pragma unroll
    for (int n = 0; n < BLOCK_N / 8; n += 2) {
      uint32_t key[4];
      load_matrices(key, swizzled(keys + d / 4 * KV_PANEL_BYTES, n * 8 + lane % 8 + lane / 16 * 8,
                                  d % 4 * 2 + lane / 8 % 2));
      multiply_in_warp(score + n * 4, query, key[0], key[1]);
      multiply_in_warp(score + n * 4 + 4, query, key[2], key[3]);
    }
  }
}

#endif
