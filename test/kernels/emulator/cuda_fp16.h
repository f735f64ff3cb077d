// CUDA's half type as far as the attention oracle uses it.
#ifndef PAWL_EMULATOR_CUDA_FP16_H
#define PAWL_EMULATOR_CUDA_FP16_H

#include "pawl_half.h"

struct __half {
  pawl_half value;
};
inline float __half2float(__half x) { return static_cast<float>(x.value); }
inline __half __float2half_rn(float x) { return {static_cast<pawl_half>(x)}; }

#endif
