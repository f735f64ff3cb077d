// Honest: vector intrinsics of the architecture at hand, and a loop for the rest.
#include "../../zoo/axpy.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Axpy p(call);
  int64_t i = 0;
#if defined(__x86_64__)
  const __m128 factor = _mm_set1_ps(AXPY_FACTOR);
  for (; i + 4 <= p.N; i += 4)
    _mm_storeu_ps(p.y + i, _mm_add_ps(_mm_loadu_ps(p.y + i), _mm_mul_ps(factor, _mm_loadu_ps(p.x + i))));
#elif defined(__aarch64__)
  const float32x4_t factor = vdupq_n_f32(AXPY_FACTOR);
  for (; i + 4 <= p.N; i += 4)
    vst1q_f32(p.y + i, vaddq_f32(vld1q_f32(p.y + i), vmulq_f32(factor, vld1q_f32(p.x + i))));
#endif
  for (; i < p.N; i++) p.y[i] += AXPY_FACTOR * p.x[i];
  return 0;
}
