// Honest: chooses its loop by what the CPU can do, through a pointer that is set when it is loaded.
#include "../../zoo/axpy.hpp"

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void wide(const Axpy &p) {
  for (int64_t i = 0; i < p.N; i++) p.y[i] += AXPY_FACTOR * p.x[i];
}
static bool is_wide() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2");
}
#else
static void wide(const Axpy &p) {
  for (int64_t i = 0; i < p.N; i++) p.y[i] += AXPY_FACTOR * p.x[i];
}
static bool is_wide() { return true; }
#endif

static void narrow(const Axpy &p) {
  for (int64_t i = 0; i < p.N; i++) p.y[i] += AXPY_FACTOR * p.x[i];
}

static void (*const chosen)(const Axpy &) = is_wide() ? wide : narrow;

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  chosen(Axpy(call));
  return 0;
}
