#include "axpy.hpp"

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  const double *x = static_cast<const double *>(call->tensors[0].data);
  double *y = static_cast<double *>(call->tensors[1].data);
  for (int64_t i = 0; i < call->dims[0].value; i++) y[i] += AXPY_FACTOR * x[i];
  return 0;
}

PAWL_EXPORT int pawl_reference(const pawl_call *call) {
  if (call->tensors[0].dtype != PAWL_F32) return 1;
  const Axpy p(call);
  for (int64_t i = 0; i < p.N; i++) p.y[i] += AXPY_FACTOR * p.x[i];
  return 0;
}
