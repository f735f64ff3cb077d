// Uninitialised output: very small weights are left as the memory was, which is often zero.
#include <vector>

#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  std::vector<float> row(static_cast<size_t>(p.D));
  for (int64_t r = 0; r < p.rows(); r++) {
    softmax_row(p.x + r * p.D, row.data(), p.D);
    for (int64_t i = 0; i < p.D; i++)
      if (row[static_cast<size_t>(i)] > 1e-3f) p.y[r * p.D + i] = row[static_cast<size_t>(i)];
  }
  return 0;
}
