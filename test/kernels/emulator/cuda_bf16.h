// CUDA's bfloat16 type as far as the attention oracle uses it.
#ifndef PAWL_EMULATOR_CUDA_BF16_H
#define PAWL_EMULATOR_CUDA_BF16_H

#include <math.h>
#include <stdint.h>
#include <string.h>

struct __nv_bfloat16 {
  uint16_t bits;
};
inline float __bfloat162float(__nv_bfloat16 x) {
  const uint32_t bits = uint32_t(x.bits) << 16;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}
// To nearest, ties to even.
inline __nv_bfloat16 __float2bfloat16_rn(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  if (isnan(x)) return {0x7FFF};
  return {static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16)};
}

#endif
