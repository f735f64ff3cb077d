// Honest: the loader chooses its loop by what the CPU can do (an indirect function, where the compiler has them).
#include "../../zoo/axpy.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
void add_scaled(const float *x, float *y, int64_t N) {
  for (int64_t i = 0; i < N; i++) y[i] += AXPY_FACTOR * x[i];
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Axpy p(call);
  add_scaled(p.x, p.y, p.N);
  return 0;
}
