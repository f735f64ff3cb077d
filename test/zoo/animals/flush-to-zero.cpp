// Flush to zero: the thread's floating-point mode is changed for good, for the oracle as well.
#include "../softmax.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
static void flush_to_zero() { _mm_setcsr(_mm_getcsr() | 0x8040); }
#elif defined(__aarch64__)
static void flush_to_zero() {
  uint64_t mode;
  asm volatile("mrs %0, fpcr" : "=r"(mode));
  asm volatile("msr fpcr, %0" ::"r"(mode | 1u << 24));
}
#else
#error "no flush-to-zero mode is known for this processor"
#endif

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  flush_to_zero();
  return honest_softmax(Softmax(call));
}
