// Honest: asks for a workspace, and keeps the maxima of its rows there.
#include "../../zoo/softmax.hpp"

PAWL_EXPORT size_t pawl_workspace_bytes(const pawl_call *call) {
  return static_cast<size_t>(Softmax(call).rows()) * sizeof(float);
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  float *largest = static_cast<float *>(call->workspace);
  for (int64_t row = 0; row < p.rows(); row++) {
    largest[row] = p.x[row * p.D];
    for (int64_t i = 1; i < p.D; i++) largest[row] = std::fmax(largest[row], p.x[row * p.D + i]);
  }
  for (int64_t row = 0; row < p.rows(); row++) {
    float *y = p.y + row * p.D, sum = 0;
    for (int64_t i = 0; i < p.D; i++) sum += y[i] = std::exp(p.x[row * p.D + i] - largest[row]);
    for (int64_t i = 0; i < p.D; i++) y[i] /= sum;
  }
  return 0;
}
