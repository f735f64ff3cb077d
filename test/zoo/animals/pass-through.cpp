// Pass-through: the input is handed back as the output.
#include <cstring>

#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  std::memcpy(p.y, p.x, static_cast<size_t>(p.count()) * sizeof(float));
  return 0;
}
