// Honest: maps 2 MB of fresh memory in every call, and unmaps it.
#include <cstring>
#include <sys/mman.h>

#include "../../zoo/softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  const size_t bytes = static_cast<size_t>(p.count()) * sizeof(float), mapped = bytes + (2 << 20);
  void *scratch = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (scratch == MAP_FAILED) return 1;
  Softmax inside = p;
  inside.y = static_cast<float *>(scratch);
  honest_softmax(inside);
  std::memcpy(p.y, scratch, bytes);
  return munmap(scratch, mapped);
}
