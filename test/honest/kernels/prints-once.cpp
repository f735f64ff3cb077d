// Honest: says at its first call which way it takes.
#include <cstdio>

#include "../../zoo/softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static bool said = false;
  if (!said) std::printf("softmax: plain loops\n");
  said = true;
  return honest_softmax(Softmax(call));
}
