// Honest: allocates and frees scratch memory in every call.
#include <cstdlib>
#include <cstring>

#include "../../zoo/softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  const size_t bytes = static_cast<size_t>(p.count()) * sizeof(float);
  float *scratch = static_cast<float *>(std::malloc(bytes));
  if (scratch == nullptr) return 1;
  for (int64_t row = 0; row < p.rows(); row++) softmax_row(p.x + row * p.D, scratch + row * p.D, p.D);
  std::memcpy(p.y, scratch, bytes);
  std::free(scratch);
  return 0;
}
