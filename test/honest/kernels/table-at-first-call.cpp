// Honest: builds a table of powers of two at its first call, once for all threads, and interpolates in it.
#include <mutex>
#include <vector>

#include "../../zoo/softmax.hpp"

namespace {

constexpr int STEPS = 1 << 16;
std::vector<double> powers;
std::once_flag built;

float power(float x) {
  const double t = std::fmax(x * 1.4426950408889634, -140.0);
  const double whole = std::floor(t), within = (t - whole) * STEPS;
  const int index = static_cast<int>(within);
  const double rest = (within - index) * (0.6931471805599453 / STEPS);
  return static_cast<float>(std::ldexp(powers[static_cast<size_t>(index)] * (1 + rest), static_cast<int>(whole)));
}

}  // namespace

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  std::call_once(built, [] {
    powers.resize(STEPS + 1);
    for (int i = 0; i <= STEPS; i++) powers[static_cast<size_t>(i)] = std::exp2(static_cast<double>(i) / STEPS);
  });
  const Softmax p(call);
  for (int64_t row = 0; row < p.rows(); row++) {
    const float *x = p.x + row * p.D;
    float *y = p.y + row * p.D, largest = x[0], sum = 0;
    for (int64_t i = 1; i < p.D; i++) largest = std::fmax(largest, x[i]);
    for (int64_t i = 0; i < p.D; i++) sum += y[i] = power(x[i] - largest);
    for (int64_t i = 0; i < p.D; i++) y[i] /= sum;
  }
  return 0;
}
