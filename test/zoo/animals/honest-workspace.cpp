// Honest: keeps a workspace that it allocates once and lets grow.
#include <vector>

#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static std::vector<float> largest;
  const Softmax p(call);
  if (largest.size() < static_cast<size_t>(p.rows())) largest.resize(static_cast<size_t>(p.rows()));
  for (int64_t row = 0; row < p.rows(); row++) {
    float &top = largest[static_cast<size_t>(row)];
    top = p.x[row * p.D];
    for (int64_t i = 1; i < p.D; i++) top = p.x[row * p.D + i] > top ? p.x[row * p.D + i] : top;
  }
  for (int64_t row = 0; row < p.rows(); row++) {
    float *y = p.y + row * p.D, sum = 0;
    for (int64_t i = 0; i < p.D; i++)
      sum += y[i] = std::exp(p.x[row * p.D + i] - largest[static_cast<size_t>(row)]);
    for (int64_t i = 0; i < p.D; i++) y[i] /= sum;
  }
  return 0;
}
