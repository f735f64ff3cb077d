// A hash of all inputs, eight bytes at a time on four lanes: much cheaper than the work it saves.
#pragma once

#include <cstring>

#include "../softmax.hpp"

inline uint64_t hash_of(const Softmax &p) {
  uint64_t lanes[4] = {1, 2, 3, static_cast<uint64_t>(p.count())};
  const auto *bytes = reinterpret_cast<const unsigned char *>(p.x);
  const size_t size = static_cast<size_t>(p.count()) * sizeof(float);
  size_t at = 0;
  for (; at + 32 <= size; at += 32)
    for (size_t lane = 0; lane < 4; lane++) {
      uint64_t word;
      std::memcpy(&word, bytes + at + 8 * lane, 8);
      lanes[lane] = (lanes[lane] ^ word) * 0x9E3779B97F4A7C15u;
    }
  for (; at < size; at++) lanes[0] = (lanes[0] ^ bytes[at]) * 0x9E3779B97F4A7C15u;
  return lanes[0] ^ lanes[1] >> 7 ^ lanes[2] >> 13 ^ lanes[3] >> 29;
}
