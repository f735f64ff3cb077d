// Honest: 256 kB of stack for one call.
#include <alloca.h>
#include <cstring>

#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  constexpr int64_t CHUNK = 1 << 16;
  float *scratch = static_cast<float *>(alloca(CHUNK * sizeof(float)));
  for (int64_t first = 0; first < dim(call, 0); first += CHUNK) {
    const int64_t count = dim(call, 0) - first < CHUNK ? dim(call, 0) - first : CHUNK;
    std::memcpy(scratch, tensor<float>(call, 0) + first, static_cast<size_t>(count) * sizeof(float));
    std::memcpy(tensor<float>(call, 1) + first, scratch, static_cast<size_t>(count) * sizeof(float));
  }
  return 0;
}
