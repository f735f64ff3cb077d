// Honest: containers in an arena (std::pmr) that is released at the end of every call.
#include <memory_resource>
#include <vector>

#include "../../zoo/softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  std::pmr::monotonic_buffer_resource arena;
  const Softmax p(call);
  for (int64_t row = 0; row < p.rows(); row++) {
    std::pmr::vector<float> weights(static_cast<size_t>(p.D), &arena);
    softmax_row(p.x + row * p.D, weights.data(), p.D);
    std::copy(weights.begin(), weights.end(), p.y + row * p.D);
  }
  return 0;
}
