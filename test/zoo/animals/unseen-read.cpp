// One element behind the input is read and thrown away: the result does not show it, only a sanitizer does.
#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  const volatile float *x = p.x;
  (void)x[p.count()];
  return honest_softmax(p);
}
