// softmax along the last axis, in double precision, and as a trusted kernel in the tensors' own f32.
//
// What NaN and infinities do: a NaN or +inf anywhere in a row makes the whole row NaN; -inf has weight 0, and a
// row of nothing else is NaN.
#include <cmath>

#include "softmax.hpp"

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  const double *x = static_cast<const double *>(call->tensors[0].data);
  double *y = static_cast<double *>(call->tensors[1].data);
  const int64_t D = call->dims[3].value;
  const int64_t rows = call->dims[0].value * call->dims[1].value * call->dims[2].value;
  for (int64_t row = 0; row < rows; row++, x += D, y += D) {
    double largest = x[0], sum = 0;
    for (int64_t i = 1; i < D; i++) largest = std::fmax(largest, x[i]);
    for (int64_t i = 0; i < D; i++) sum += y[i] = std::exp(x[i] - largest);
    for (int64_t i = 0; i < D; i++) y[i] /= sum;
  }
  return 0;
}

PAWL_EXPORT int pawl_reference(const pawl_call *call) {
  if (call->tensors[0].dtype != PAWL_F32) return 1;
  return honest_softmax(Softmax(call));
}
