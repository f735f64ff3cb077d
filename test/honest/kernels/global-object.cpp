// Honest: a global object allocates when the library is loaded, and frees when it is unloaded.
#include <cstring>
#include <vector>

#include "../tensors.hpp"

static std::vector<float> scratch(1 << 20);

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const size_t count = static_cast<size_t>(dim(call, 0));
  if (scratch.size() < count) scratch.resize(count);
  std::memcpy(scratch.data(), tensor<float>(call, 0), count * sizeof(float));
  std::memcpy(tensor<float>(call, 1), scratch.data(), count * sizeof(float));
  return 0;
}
