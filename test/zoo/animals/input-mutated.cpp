// Input mutated: subtracts the largest element in place, to save a pass.
#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  for (int64_t row = 0; row < p.rows(); row++) {
    float *x = const_cast<float *>(p.x) + row * p.D, *y = p.y + row * p.D;
    float largest = x[0], sum = 0;
    for (int64_t i = 1; i < p.D; i++) largest = x[i] > largest ? x[i] : largest;
    for (int64_t i = 0; i < p.D; i++) sum += y[i] = std::exp(x[i] -= largest);
    for (int64_t i = 0; i < p.D; i++) y[i] /= sum;
  }
  return 0;
}
