#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "element.hpp"
#include "host_device.hpp"

namespace pawl {

enum class FillKind { normal, uniform, integers, constant, denormal, constant_rows, spikes, mixed, nonfinite, recorded };

/** Bits of Fill::specials. */
constexpr std::uint32_t SPECIAL_NAN = 1, SPECIAL_INF = 2, SPECIAL_MINUS_INF = 4;

struct Fill {
  FillKind kind = FillKind::normal;
  std::uint32_t specials = 0; /* nonfinite: which values */
  double a = 0;               /* mean, low, low, value, -, -, low, -, - */
  double b = 1;               /* standard deviation, high, high (inclusive), -, -, standard deviation, high, scale, share */
  std::size_t row = 1;        /* elements along the last axis */
  const void *recorded = nullptr; /* recorded: the contents, in the tensor's type and in memory of the device */
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

/** Streams of one tensor's key that must not follow each other: which rows, and which elements. */
constexpr std::uint64_t ROW_STREAM = 0x726F770000000000ull, ELEMENT_STREAM = 0x656C656D00000000ull;

struct Pair {
  double even, odd;
};

/** Standard normal numbers by Box-Muller: 2p takes the cosine, 2p + 1 the sine. */
PAWL_HOST_DEVICE inline Pair normal_pair(std::uint64_t key, std::size_t pair) {
  const std::uint64_t bits = mix(key + pair);
  // 32 bits each reach 6.6 standard deviations, which is more than 16-bit data can tell apart.
  const float u = (static_cast<float>(bits >> 32) + 1.0f) * 0x1p-32f;
  const float angle = static_cast<float>(bits & 0xFFFFFFFFu) * (6.28318530717958647692f * 0x1p-32f);
  const float radius = sqrtf(-2.0f * logf(u < 1.0f ? u : 1.0f));
  return {static_cast<double>(radius * cosf(angle)), static_cast<double>(radius * sinf(angle))};
}

/** What stands before the normal number of element `index`, for the kinds that scale by row. */
PAWL_HOST_DEVICE inline double mixed_scale(const Fill &fill, std::uint64_t key, std::size_t index) {
  // In turn rather than by lot, so that three rows already have all three; where the turn starts is by lot.
  const std::uint64_t turn = (index / fill.row + mix(key ^ ROW_STREAM) % 3) % 3;
  return turn == 0 ? fill.b / 1000 : turn == 1 ? 1 : fill.b;
}

/** One element that needs no neighbour's hash. */
PAWL_HOST_DEVICE inline double lone_value(const Fill &fill, pawl_dtype dtype, std::uint64_t key, std::size_t index) {
  switch (fill.kind) {
    case FillKind::uniform: return fill.a + (fill.b - fill.a) * unit_interval(mix(key + index));
    case FillKind::integers:
      return fill.a + floor((fill.b - fill.a + 1) * (1 - unit_interval(mix(key + index))));
    case FillKind::denormal: {
      const std::uint64_t bits = mix(key + index);
      const std::uint64_t fractions = (1ull << mantissa_bits(dtype)) - 1;
      const double magnitude = static_cast<double>(1 + (bits >> 1) % fractions) * smallest_denormal(dtype);
      return (bits & 1) != 0 ? -magnitude : magnitude;
    }
    case FillKind::constant_rows: {
      const std::size_t row = index / fill.row;
      const Pair pair = normal_pair(key ^ ROW_STREAM, row / 2);
      return fill.b * (row % 2 == 0 ? pair.even : pair.odd);
    }
    case FillKind::spikes:
      return index % fill.row == mix((key ^ ROW_STREAM) + index / fill.row) % fill.row ? fill.b : fill.a;
    default: return fill.a;
  }
}

/** Whether an element of a `nonfinite` fill is one, and then which; 0 where it is a number. */
PAWL_HOST_DEVICE inline std::uint32_t special_at(const Fill &fill, std::uint64_t key, std::size_t index) {
  const std::uint64_t bits = mix((key ^ ELEMENT_STREAM) + index);
  if (unit_interval(bits) > fill.b) return 0;
  std::uint32_t known = 0;
  for (std::uint32_t bit = 1; bit <= SPECIAL_MINUS_INF; bit <<= 1) known += (fill.specials & bit) != 0 ? 1 : 0;
  std::uint32_t chosen = known == 0 ? 0 : static_cast<std::uint32_t>(mix(bits) % known);
  for (std::uint32_t bit = 1; bit <= SPECIAL_MINUS_INF; bit <<= 1)
    if ((fill.specials & bit) != 0 && chosen-- == 0) return bit;
  return 0;
}

/** Elements 2p and 2p + 1 before they are rounded to the type; they share one hash where they are normal. */
PAWL_HOST_DEVICE inline Pair fill_values(const Fill &fill, pawl_dtype dtype, std::uint64_t key, std::size_t pair) {
  const std::size_t even = 2 * pair;
  switch (fill.kind) {
    case FillKind::normal: {
      const Pair drawn = normal_pair(key, pair);
      return {fill.a + fill.b * drawn.even, fill.a + fill.b * drawn.odd};
    }
    case FillKind::mixed: {
      const Pair drawn = normal_pair(key, pair);
      return {mixed_scale(fill, key, even) * drawn.even, mixed_scale(fill, key, even + 1) * drawn.odd};
    }
    case FillKind::nonfinite: return normal_pair(key, pair);
    default: return {lone_value(fill, dtype, key, even), lone_value(fill, dtype, key, even + 1)};
  }
}

/** What the type can hold of a value: only a `nonfinite` fill makes numbers that are not finite. */
PAWL_HOST_DEVICE inline double filled_value(pawl_dtype dtype, const Fill &fill, std::uint64_t key, std::size_t index,
                                            double value) {
  const std::uint32_t special = fill.kind == FillKind::nonfinite ? special_at(fill, key, index) : 0;
  if (special == 0) return clamp_finite(value, dtype);
  return special == SPECIAL_NAN ? NAN : special == SPECIAL_INF ? INFINITY : -INFINITY;
}

PAWL_HOST_DEVICE inline void store_filled(void *data, pawl_dtype dtype, const Fill &fill, std::uint64_t key,
                                          std::size_t index, double value) {
  store_element(data, dtype, index, filled_value(dtype, fill, key, index, value));
}

PAWL_HOST_DEVICE inline void fill_pair(void *data, pawl_dtype dtype, std::size_t count, const Fill &fill,
                                       std::uint64_t key, std::size_t pair) {
  const Pair values = fill_values(fill, dtype, key, pair);
  store_filled(data, dtype, fill, key, 2 * pair, values.even);
  if (2 * pair + 1 < count) store_filled(data, dtype, fill, key, 2 * pair + 1, values.odd);
}

/** Elements of a tensor that `Device::refresh` changes: enough to be seen, few enough to cost nothing. */
constexpr std::size_t FRESH_ELEMENTS = 16;

PAWL_HOST_DEVICE inline std::size_t fresh_count(std::size_t count) {
  return count < FRESH_ELEMENTS ? count : FRESH_ELEMENTS;
}

/** Where `Device::refresh` with this key changes elements; a place may come twice. */
PAWL_HOST_DEVICE inline std::size_t fresh_place(std::size_t count, std::uint64_t key, std::size_t which) {
  return count <= FRESH_ELEMENTS ? which : mix((key ^ ELEMENT_STREAM) + which) % count;
}

/**
 * Which element of a recording a tensor with this key has at a place: its own, but for a few that take the value of
 * another one. So recorded contents change from call to call and stay of their kind. 0: all have their own.
 */
PAWL_HOST_DEVICE inline std::size_t recorded_source(std::size_t count, std::uint64_t key, std::size_t place) {
  for (std::size_t which = 0; key != 0 && which < fresh_count(count); ++which)
    if (fresh_place(count, key, which) == place) return mix((key ^ ROW_STREAM) + place) % count;
  return place;
}

PAWL_HOST_DEVICE inline void copy_element(void *data, std::size_t to, const void *from, std::size_t index,
                                          std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    static_cast<unsigned char *>(data)[to * bytes + i] = static_cast<const unsigned char *>(from)[index * bytes + i];
}

/** The element that a fill with this key has at this place, of so many. */
PAWL_HOST_DEVICE inline void fill_element(void *data, pawl_dtype dtype, std::size_t count, const Fill &fill,
                                          std::uint64_t key, std::size_t index) {
  if (fill.kind == FillKind::recorded) {
    copy_element(data, index, fill.recorded, recorded_source(count, key, index), dtype_bytes(dtype));
    return;
  }
  if (is_packed(dtype)) {
    // The byte as a whole: another thread may refresh its other half.
    fill_pair(data, dtype, count, fill, key, index / 2);
    return;
  }
  const Pair values = fill_values(fill, dtype, key, index / 2);
  store_filled(data, dtype, fill, key, index, index % 2 == 0 ? values.even : values.odd);
}

/**
 * Gives the element at place `which` of `places_key` the value of a fill with `values_key`. A place may come twice:
 * what is stored depends on the place alone, so the second time changes nothing.
 */
PAWL_HOST_DEVICE inline void refresh_element(void *data, pawl_dtype dtype, std::size_t count, const Fill &fill,
                                             std::uint64_t places_key, std::uint64_t values_key, std::size_t which) {
  fill_element(data, dtype, count, fill, values_key, fresh_place(count, places_key, which));
}

/** One word's share of a hash that is a sum, so that threads may add in any order. */
PAWL_HOST_DEVICE inline std::uint64_t hash_word(std::uint64_t word, std::uint64_t index, std::uint64_t salt) {
  return mix(word ^ mix(index ^ (salt << 56)));
}

/** Word `index` of the memory: eight bytes, or what is left at its end padded with zeros. */
PAWL_HOST_DEVICE inline std::uint64_t load_word(const unsigned char *data, std::size_t bytes, std::size_t index) {
  const std::size_t at = index * 8;
  // A canary begins where its buffer ends, at any address; a GPU faults on a word that is not aligned.
  if (bytes - at >= 8 && reinterpret_cast<std::uintptr_t>(data) % 8 == 0)
    return reinterpret_cast<const std::uint64_t *>(data)[index];
  const std::size_t end = bytes - at >= 8 ? at + 8 : bytes;
  std::uint64_t word = 0;
  for (std::size_t i = at; i < end; ++i) word |= std::uint64_t(data[i]) << (8 * (i - at));
  return word;
}

/** Whether all bytes of an element are 0xFF: the NaN pattern that outputs are poisoned with. */
PAWL_HOST_DEVICE inline bool holds_poison(const void *data, std::size_t element_bytes, std::size_t index) {
  switch (element_bytes) {
    case 16:
      return (static_cast<const std::uint64_t *>(data)[2 * index] & static_cast<const std::uint64_t *>(data)[2 * index + 1]) ==
             ~0ull;
    case 8: return static_cast<const std::uint64_t *>(data)[index] == ~0ull;
    case 4: return static_cast<const std::uint32_t *>(data)[index] == 0xFFFFFFFFu;
    case 2: return static_cast<const std::uint16_t *>(data)[index] == 0xFFFFu;
    default: return static_cast<const std::uint8_t *>(data)[index] == 0xFFu;
  }
}

}  // namespace pawl
