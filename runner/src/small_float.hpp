#pragma once

#include <cstdint>
#include <cstring>

#include "host_device.hpp"

namespace pawl {

/**
 * IEEE 754 layouts of up to 16 bits: f16 is <5, 10>, bf16 is <8, 7>, f8e5m2 is <5, 2>. f8e4m3 is <4, 3> without
 * infinities (Micikevicius and others 2022, "FP8 Formats for Deep Learning"): the numbers go on where they would be, the
 * last one is NaN, and so is what is too large. f4e2m1 is <2, 1> with numbers alone (OCP Microscaling Formats 1.0, 5.3.3):
 * what is too large becomes the largest, as CUDA's conversion (satfinite) has it, and so does a NaN. Encoding rounds once, from double, to nearest
 * and ties to even; by hand, because the CPU build has no half type and both devices must agree.
 */
template <int EXPONENT_BITS, int MANTISSA_BITS, bool HAS_INFINITIES = true, bool HAS_NAN = true>
struct SmallFloat {
  static constexpr int BIAS = (1 << (EXPONENT_BITS - 1)) - 1;
  static constexpr int TOP_EXPONENT = (1 << EXPONENT_BITS) - 1;
  static constexpr int SIGN_BIT = EXPONENT_BITS + MANTISSA_BITS;
  /** What a magnitude that is too large becomes: infinity, the only NaN, or the largest number. */
  static constexpr std::uint64_t TOO_LARGE =
      HAS_INFINITIES ? std::uint64_t(TOP_EXPONENT) << MANTISSA_BITS : (std::uint64_t(1) << SIGN_BIT) - 1;

  PAWL_HOST_DEVICE static std::uint16_t encode(double value) {
    std::uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const auto sign = static_cast<std::uint16_t>((bits >> 63) << SIGN_BIT);
    const int exponent_field = static_cast<int>((bits >> 52) & 0x7FF);
    const std::uint64_t fraction = bits & 0xFFFFFFFFFFFFFull;
    if (exponent_field == 0x7FF)
      return static_cast<std::uint16_t>(sign | TOO_LARGE | (fraction != 0 ? 1u << (MANTISSA_BITS - 1) : 0u));
    // Subnormal doubles are far below half of the smallest subnormal of every layout.
    if (exponent_field == 0) return sign;

    const int exponent = exponent_field - 1023;
    const std::uint64_t significand = fraction | (1ull << 52);
    // Bits to drop: those beyond the mantissa, and more the further the value is below the normal range.
    int shift = 52 - MANTISSA_BITS;
    std::uint64_t biased = 0;
    if (exponent >= 1 - BIAS) {
      biased = static_cast<std::uint64_t>(exponent + BIAS - 1);  // the implicit bit carries in the last 1
    } else {
      shift += 1 - BIAS - exponent;
      if (shift > 53) return sign;
    }
    const std::uint64_t kept = significand >> shift;
    const std::uint64_t dropped = significand & ((1ull << shift) - 1);
    const std::uint64_t half = 1ull << (shift - 1);
    const std::uint64_t round_up = dropped > half || (dropped == half && (kept & 1) != 0) ? 1 : 0;
    const std::uint64_t magnitude = (biased << MANTISSA_BITS) + kept + round_up;
    return static_cast<std::uint16_t>(sign | (magnitude < TOO_LARGE ? magnitude : TOO_LARGE));
  }

  PAWL_HOST_DEVICE static double decode(std::uint16_t bits) {
    const std::uint64_t sign = std::uint64_t((bits >> SIGN_BIT) & 1) << 63;
    const int exponent_field = (bits >> MANTISSA_BITS) & TOP_EXPONENT;
    const std::uint64_t fraction = bits & ((1u << MANTISSA_BITS) - 1);
    std::uint64_t wide;
    if (exponent_field == TOP_EXPONENT && (HAS_INFINITIES || (HAS_NAN && fraction == (1u << MANTISSA_BITS) - 1))) {
      wide = sign | (0x7FFull << 52) | (fraction << (52 - MANTISSA_BITS));
    } else if (exponent_field != 0) {
      wide = sign | (std::uint64_t(exponent_field - BIAS + 1023) << 52) | (fraction << (52 - MANTISSA_BITS));
    } else {
      // Subnormal: fraction · 2^(1 − bias − mantissa bits), exact in double.
      const std::uint64_t unit_bits = std::uint64_t(1 - BIAS - MANTISSA_BITS + 1023) << 52;
      double unit;
      memcpy(&unit, &unit_bits, sizeof unit);
      const double magnitude = static_cast<double>(fraction) * unit;
      return sign != 0 ? -magnitude : magnitude;
    }
    double value;
    memcpy(&value, &wide, sizeof value);
    return value;
  }
};

using F16 = SmallFloat<5, 10>;
using Bf16 = SmallFloat<8, 7>;
using F8e4m3 = SmallFloat<4, 3, false>;
using F8e5m2 = SmallFloat<5, 2>;
using F4e2m1 = SmallFloat<2, 1, false, false>;

}  // namespace pawl
