// Use after free: the row is read back from memory that was given up, which still holds it.
#include <cstdlib>

#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  honest_softmax(p);
  // Large, so that the allocator's own book-keeping stays away from the end.
  float *scratch = static_cast<float *>(std::malloc(64 * 1024));
  if (scratch == nullptr) return 1;
  volatile float *last = scratch + 8 * 1024;
  *last = p.y[p.count() - 1];
  std::free(scratch);
  p.y[p.count() - 1] = *last;
  return 0;
}
