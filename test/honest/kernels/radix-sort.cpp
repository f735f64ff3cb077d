// Honest: a radix sort over the bits of the floats, with a counting pass per byte.
#include <cstring>
#include <utility>
#include <vector>

#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const size_t N = static_cast<size_t>(dim(call, 0));
  std::vector<uint32_t> keys(N), other(N);
  std::memcpy(keys.data(), tensor<float>(call, 0), N * sizeof(float));
  for (uint32_t &key : keys) key ^= key >> 31 ? 0xFFFFFFFFu : 0x80000000u;
  for (int shift = 0; shift < 32; shift += 8) {
    size_t places[257] = {};
    for (const uint32_t key : keys) places[(key >> shift & 255) + 1]++;
    for (int i = 1; i < 257; i++) places[i] += places[i - 1];
    for (const uint32_t key : keys) other[places[key >> shift & 255]++] = key;
    std::swap(keys, other);
  }
  for (uint32_t &key : keys) key ^= key >> 31 ? 0x80000000u : 0xFFFFFFFFu;
  std::memcpy(tensor<float>(call, 1), keys.data(), N * sizeof(float));
  return 0;
}
