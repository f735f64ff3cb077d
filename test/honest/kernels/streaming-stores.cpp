// Honest: a copy whose stores go past the caches where the architecture has such stores.
#include <cstring>

#include "../tensors.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const float *x = tensor<float>(call, 0);
  float *y = tensor<float>(call, 1);
  int64_t i = 0;
#if defined(__x86_64__)
  for (; i + 4 <= dim(call, 0); i += 4) _mm_stream_ps(y + i, _mm_loadu_ps(x + i));  // y is aligned to 256 bytes
  _mm_sfence();
#endif
  std::memcpy(y + i, x + i, static_cast<size_t>(dim(call, 0) - i) * sizeof(float));
  return 0;
}
