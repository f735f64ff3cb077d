// Honest: keeps 4 MB of scratch memory for which it asks for huge pages.
#include <cstring>
#include <sys/mman.h>

#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  constexpr size_t BYTES = 4 << 20;
  static float *scratch = [] {
    void *made = mmap(nullptr, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED) return static_cast<float *>(nullptr);
    madvise(made, BYTES, MADV_HUGEPAGE);  // no matter if it is refused
    return static_cast<float *>(made);
  }();
  const int64_t M = dim(call, 0), N = dim(call, 1);
  const size_t bytes = static_cast<size_t>(M * N) * sizeof(float);
  if (scratch == nullptr || bytes > BYTES) return 1;
  const float *x = tensor<float>(call, 0);
  for (int64_t i = 0; i < M; i++)
    for (int64_t j = 0; j < N; j++) scratch[j * M + i] = x[i * N + j];
  std::memcpy(tensor<float>(call, 1), scratch, bytes);
  return 0;
}
