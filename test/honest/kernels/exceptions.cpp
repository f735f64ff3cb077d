// Honest: throws an exception at the end of every row, and catches it.
#include <stdexcept>

#include "../../zoo/softmax.hpp"

static float at(const float *x, int64_t i, int64_t length) {
  if (i >= length) throw std::out_of_range("the row has ended");
  return x[i];
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  for (int64_t row = 0; row < p.rows(); row++) {
    const float *x = p.x + row * p.D;
    float *y = p.y + row * p.D, largest = x[0], sum = 0;
    try {
      for (int64_t i = 1;; i++) largest = std::fmax(largest, at(x, i, p.D));
    } catch (const std::out_of_range &) {
      for (int64_t i = 0; i < p.D; i++) sum += y[i] = std::exp(x[i] - largest);
    }
    for (int64_t i = 0; i < p.D; i++) y[i] /= sum;
  }
  return 0;
}
