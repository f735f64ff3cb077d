// Honest: OpenMP parallel for with as many threads as it is given.
#include "../../zoo/axpy.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Axpy p(call);
#pragma omp parallel for
  for (int64_t i = 0; i < p.N; i++) p.y[i] += AXPY_FACTOR * p.x[i];
  return 0;
}
