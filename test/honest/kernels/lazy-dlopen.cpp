// Honest: loads libm at its first call, and calls its expf.
#include <dlfcn.h>

#include "../../zoo/softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static float (*power)(float) = nullptr;
  if (power == nullptr) {
    void *library = dlopen("libm.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return 1;
    power = reinterpret_cast<float (*)(float)>(dlsym(library, "expf"));
    if (power == nullptr) return 2;
  }
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
