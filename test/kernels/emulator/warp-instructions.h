// What both kernels' ptx.cuh do within a warp, in plain C++.
#ifndef PAWL_EMULATOR_WARP_INSTRUCTIONS_H
#define PAWL_EMULATOR_WARP_INSTRUCTIONS_H

#include "cuda_runtime.h"
#include "pawl_half.h"

#define DEVICE static inline

namespace emulator {

inline float half_at(const void *address) {
  pawl_half value;
  memcpy(&value, address, 2);
  return static_cast<float>(value);
}

// Elements 0 and 1 of a register that holds two halves.
inline float half_of(uint32_t packed, int element) {
  const uint16_t bits = static_cast<uint16_t>(packed >> (16 * element));
  return half_at(&bits);
}

struct MatrixLoad {
  uint32_t from;
  uint32_t *to;
};

inline void load_matrices_of_warp(MatrixLoad **lanes, bool transposed) {
  for (int lane = 0; lane < 32; lane++)
    for (int matrix = 0; matrix < 4; matrix++) {
      uint16_t pair[2];
      for (int i = 0; i < 2; i++) {
        const int row = transposed ? lane % 4 * 2 + i : lane / 4, column = transposed ? lane / 4 : lane % 4 * 2 + i;
        const uint32_t from = lanes[matrix * 8 + row]->from;
        if (from % 16 != 0 || from + 16 > sizeof attention_memory) fail("ldmatrix address");
        memcpy(&pair[i], attention_memory + from + column * 2, 2);
      }
      memcpy(&lanes[lane]->to[matrix], pair, 4);
    }
}

struct MultiplyAdd {
  float *c;
  const uint32_t *a;
  uint32_t b[2];
};

inline void multiply_add_of_warp(MultiplyAdd **lanes) {
  float a[16][16], b[16][8];
  for (int lane = 0; lane < 32; lane++)
    for (int element = 0; element < 2; element++) {
      for (int i = 0; i < 4; i++)
        a[lane / 4 + i % 2 * 8][lane % 4 * 2 + i / 2 * 8 + element] = half_of(lanes[lane]->a[i], element);
      for (int i = 0; i < 2; i++) b[lane % 4 * 2 + i * 8 + element][lane / 4] = half_of(lanes[lane]->b[i], element);
    }
  for (int lane = 0; lane < 32; lane++)
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 16; k++)
        lanes[lane]->c[i] += a[lane / 4 + i / 2 * 8][k] * b[k][lane % 4 * 2 + i % 2];
}

}  // namespace emulator

inline uint32_t shared_address(const void *pointer) {
  return static_cast<uint32_t>(static_cast<const unsigned char *>(pointer) - attention_memory);
}
inline uint32_t pack_halves(float low, float high) {
  const pawl_half pair[2] = {static_cast<pawl_half>(low), static_cast<pawl_half>(high)};
  uint32_t packed;
  memcpy(&packed, pair, 4);
  return packed;
}
inline float power_of_two(float x) { return exp2f(x); }
inline float from_lane_xor(float x, int mask) {
  struct Exchange {
    float in, out;
    int mask;
  } exchange{x, 0, mask};
  emulator::with_warp(exchange, [](Exchange **lanes) {
    for (int lane = 0; lane < 32; lane++) lanes[lane]->out = lanes[lane ^ lanes[lane]->mask]->in;
  });
  return exchange.out;
}
inline bool any_in_warp(bool x) {
  struct Vote {
    bool in, out;
  } vote{x, false};
  emulator::with_warp(vote, [](Vote **lanes) {
    bool any = false;
    for (int lane = 0; lane < 32; lane++) any = any || lanes[lane]->in;
    for (int lane = 0; lane < 32; lane++) lanes[lane]->out = any;
  });
  return vote.out;
}
inline void store_shared(uint32_t to, uint32_t value) { memcpy(attention_memory + to, &value, 4); }

inline void load_matrices(uint32_t (&to)[4], uint32_t from) {
  emulator::MatrixLoad load{from, to};
  emulator::with_warp(load, [](emulator::MatrixLoad **lanes) { emulator::load_matrices_of_warp(lanes, false); });
}

#endif
