// NaN swallowed: a clamp against overflow turns NaN into a small number.
#include <algorithm>
#include <vector>

#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  std::vector<float> row(static_cast<size_t>(p.D));
  for (int64_t r = 0; r < p.rows(); r++) {
    for (int64_t i = 0; i < p.D; i++) row[static_cast<size_t>(i)] = std::fmax(p.x[r * p.D + i], -1e30f);
    softmax_row(row.data(), p.y + r * p.D, p.D);
  }
  return 0;
}
