// Honest: updates an inout from its end to its beginning.
#include "../../zoo/axpy.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Axpy p(call);
  for (int64_t i = p.N - 1; i >= 0; i--) p.y[i] += AXPY_FACTOR * p.x[i];
  return 0;
}
