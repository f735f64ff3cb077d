// One element too many is written.
#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  honest_softmax(p);
  p.y[p.count()] = 0;
  return 0;
}
