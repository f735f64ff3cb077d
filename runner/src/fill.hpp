#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "element.hpp"
#include "host_device.hpp"

namespace pawl {

enum class FillKind { normal, uniform, integers, constant };

struct Fill {
  FillKind kind = FillKind::normal;
  double a = 0; /* mean, low, low, value */
  double b = 1; /* standard deviation, high, high (inclusive), unused */
};

/** splitmix64's finaliser (Steele, Lea, Flood 2014): every input bit reaches every output bit. */
PAWL_HOST_DEVICE inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

/** The random stream of one tensor in one buffer set. Counter-based: element i needs no element before it. */
inline std::uint64_t stream_key(std::uint64_t seed, std::size_t tensor, std::size_t set) {
  return mix(mix(mix(seed) ^ tensor) ^ (static_cast<std::uint64_t>(set) << 32));
}

/** Uniform in (0, 1]. */
PAWL_HOST_DEVICE inline double unit_interval(std::uint64_t bits) {
  return (static_cast<double>(bits >> 11) + 1) * 0x1p-53;
}

/** Two elements share one hash and one Box-Muller pair: 2p takes the cosine, 2p + 1 the sine. */
PAWL_HOST_DEVICE inline void fill_pair(void *data, pawl_dtype dtype, std::size_t count, Fill fill,
                                       std::uint64_t key, std::size_t pair) {
  const std::size_t first = 2 * pair;
  const std::size_t second = first + 1;
  double x = fill.a, y = fill.a;
  if (fill.kind == FillKind::normal) {
    const std::uint64_t bits = mix(key + pair);
    // 32 bits each reach 6.6 standard deviations, which is more than 16-bit data can tell apart.
    const float u = (static_cast<float>(bits >> 32) + 1.0f) * 0x1p-32f;
    const float angle = static_cast<float>(bits & 0xFFFFFFFFu) * (6.28318530717958647692f * 0x1p-32f);
    const float radius = sqrtf(-2.0f * logf(u < 1.0f ? u : 1.0f));
    x = fill.a + fill.b * static_cast<double>(radius * cosf(angle));
    y = fill.a + fill.b * static_cast<double>(radius * sinf(angle));
  } else if (fill.kind == FillKind::uniform) {
    x = fill.a + (fill.b - fill.a) * unit_interval(mix(key + first));
    y = fill.a + (fill.b - fill.a) * unit_interval(mix(key + second));
  } else if (fill.kind == FillKind::integers) {
    const double values = fill.b - fill.a + 1;
    x = fill.a + floor(values * (1 - unit_interval(mix(key + first))));
    y = fill.a + floor(values * (1 - unit_interval(mix(key + second))));
  }
  store_element(data, dtype, first, x);
  if (second < count) store_element(data, dtype, second, y);
}

/** One word's share of a hash that is a sum, so that threads may add in any order. */
PAWL_HOST_DEVICE inline std::uint64_t hash_word(std::uint64_t word, std::uint64_t index, std::uint64_t salt) {
  return mix(word ^ mix(index ^ (salt << 56)));
}

/** Word `index` of the memory: eight bytes, or what is left at its end padded with zeros. */
PAWL_HOST_DEVICE inline std::uint64_t load_word(const unsigned char *data, std::size_t bytes, std::size_t index) {
  const std::size_t at = index * 8;
  if (bytes - at >= 8) return reinterpret_cast<const std::uint64_t *>(data)[index];
  std::uint64_t word = 0;
  for (std::size_t i = at; i < bytes; ++i) word |= std::uint64_t(data[i]) << (8 * (i - at));
  return word;
}

/** Whether all bytes of an element are 0xFF: the NaN pattern that outputs are poisoned with. */
PAWL_HOST_DEVICE inline bool holds_poison(const void *data, std::size_t element_bytes, std::size_t index) {
  switch (element_bytes) {
    case 8: return static_cast<const std::uint64_t *>(data)[index] == ~0ull;
    case 4: return static_cast<const std::uint32_t *>(data)[index] == 0xFFFFFFFFu;
    case 2: return static_cast<const std::uint16_t *>(data)[index] == 0xFFFFu;
    default: return static_cast<const std::uint8_t *>(data)[index] == 0xFFu;
  }
}

}  // namespace pawl
