// Honest: turns denormal numbers off while it works, and on again before it returns.
#include "../../zoo/softmax.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

PAWL_EXPORT int pawl_run(const pawl_call *call) {
#if defined(__x86_64__)
  const unsigned found = _mm_getcsr();
  _mm_setcsr(found | 0x8040);
#endif
  honest_softmax(Softmax(call));
#if defined(__x86_64__)
  _mm_setcsr(found);
#endif
  return 0;
}
