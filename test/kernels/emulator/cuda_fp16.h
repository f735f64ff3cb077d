// CUDA's half type as far as the attention oracle uses it.
#ifndef PAWL_EMULATOR_CUDA_FP16_H
#define PAWL_EMULATOR_CUDA_FP16_H

struct __half {
  _Float16 value;
};
inline float __half2float(__half x) { return static_cast<float>(x.value); }
inline __half __float2half_rn(float x) { return {static_cast<_Float16>(x)}; }

#endif
