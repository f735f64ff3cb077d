// Honest: sixteen elements, far below a microsecond.
#include "../../zoo/axpy.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Axpy p(call);
  for (int64_t i = 0; i < p.N; i++) p.y[i] += AXPY_FACTOR * p.x[i];
  return 0;
}
