#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "pawl_kernel.h"
#include "host_device.hpp"
#include "small_float.hpp"

namespace pawl {

// No switch over types here has a default: a new type does not compile until each of them knows it.

PAWL_HOST_DEVICE inline std::size_t dtype_bytes(pawl_dtype dtype) {
  switch (dtype) {
    case PAWL_C128: return 16;
    case PAWL_F64: case PAWL_I64: case PAWL_U64: case PAWL_C64: return 8;
    case PAWL_F32: case PAWL_I32: case PAWL_U32: return 4;
    case PAWL_F16: case PAWL_BF16: case PAWL_I16: case PAWL_U16: return 2;
    case PAWL_I8: case PAWL_U8: case PAWL_BOOL: case PAWL_F8E4M3: case PAWL_F8E5M2: case PAWL_F4E2M1: return 1;
  }
  return 0;
}

/**
 * Of which a byte holds two elements, the one of even index in its low bits. Threads that write elements side by side
 * write whole bytes.
 */
PAWL_HOST_DEVICE inline bool is_packed(pawl_dtype dtype) { return dtype == PAWL_F4E2M1; }

/** So many pieces of `dtype_bytes` hold so many elements. */
PAWL_HOST_DEVICE inline std::size_t pieces(pawl_dtype dtype, std::size_t elements) {
  return is_packed(dtype) ? (elements + 1) / 2 : elements;
}
PAWL_HOST_DEVICE inline std::size_t bytes_of(pawl_dtype dtype, std::size_t elements) {
  return pieces(dtype, elements) * dtype_bytes(dtype);
}

/** Of which every element is two numbers: the real and the imaginary part. */
PAWL_HOST_DEVICE inline bool is_complex(pawl_dtype dtype) { return dtype == PAWL_C64 || dtype == PAWL_C128; }

/** The type of the numbers that elements consist of, and how many an element has. */
PAWL_HOST_DEVICE inline pawl_dtype part_dtype(pawl_dtype dtype) {
  return dtype == PAWL_C64 ? PAWL_F32 : dtype == PAWL_C128 ? PAWL_F64 : dtype;
}
PAWL_HOST_DEVICE inline std::size_t part_count(pawl_dtype dtype) { return is_complex(dtype) ? 2 : 1; }

/** Stored bits of the significand of a floating-point type, real or complex; 0 for integers. */
PAWL_HOST_DEVICE inline int mantissa_bits(pawl_dtype dtype) {
  switch (dtype) {
    case PAWL_F64: case PAWL_C128: return 52;
    case PAWL_F32: case PAWL_C64: return 23;
    case PAWL_F16: return 10;
    case PAWL_BF16: return 7;
    case PAWL_F8E4M3: return 3;
    case PAWL_F8E5M2: return 2;
    case PAWL_F4E2M1: return 1;
    case PAWL_I64: case PAWL_I32: case PAWL_I16: case PAWL_I8: break;
    case PAWL_U64: case PAWL_U32: case PAWL_U16: case PAWL_U8: case PAWL_BOOL: break;
  }
  return 0;
}

PAWL_HOST_DEVICE inline bool is_floating(pawl_dtype dtype) { return mantissa_bits(dtype) > 0; }

/** Where it has none, what is too large is NaN, or the largest number. */
PAWL_HOST_DEVICE inline bool has_infinities(pawl_dtype dtype) {
  return is_floating(dtype) && dtype != PAWL_F8E4M3 && dtype != PAWL_F4E2M1;
}
/** Whether it has nothing but numbers. */
PAWL_HOST_DEVICE inline bool saturates(pawl_dtype dtype) { return dtype == PAWL_F4E2M1; }

/** The least positive number of a floating-point type: its unit in the last place near zero. */
PAWL_HOST_DEVICE inline double smallest_denormal(pawl_dtype dtype) {
  switch (dtype) {
    case PAWL_F64: case PAWL_C128: return 0x1p-1074;
    case PAWL_F32: case PAWL_C64: return 0x1p-149;
    case PAWL_F16: return 0x1p-24;
    case PAWL_BF16: return 0x1p-133;
    case PAWL_F8E4M3: return 0x1p-9;
    case PAWL_F8E5M2: return 0x1p-16;
    case PAWL_F4E2M1: return 0.5;
    case PAWL_I64: case PAWL_I32: case PAWL_I16: case PAWL_I8: break;
    case PAWL_U64: case PAWL_U32: case PAWL_U16: case PAWL_U8: case PAWL_BOOL: break;
  }
  return 0;
}

/** Of integers, that of the numbers that they are made from. */
PAWL_HOST_DEVICE inline double largest_finite(pawl_dtype dtype) {
  switch (dtype) {
    case PAWL_F32: case PAWL_C64: return 0x1.FFFFFEp127;
    case PAWL_F16: return 65504;
    case PAWL_BF16: return 0x1.FEp127;
    case PAWL_F8E4M3: return 448;
    case PAWL_F8E5M2: return 57344;
    case PAWL_F4E2M1: return 6;
    case PAWL_F64: case PAWL_C128: break;
    case PAWL_I64: case PAWL_I32: case PAWL_I16: case PAWL_I8: break;
    case PAWL_U64: case PAWL_U32: case PAWL_U16: case PAWL_U8: case PAWL_BOOL: break;
  }
  return 0x1.FFFFFFFFFFFFFp1023;
}

PAWL_HOST_DEVICE inline double clamp_finite(double value, pawl_dtype dtype) {
  const double limit = largest_finite(dtype);
  return value > limit ? limit : value < -limit ? -limit : value;
}

/** What an oracle on the device computes in: wider than the type it judges. No integer is wider than u64. */
PAWL_HOST_DEVICE inline pawl_dtype wider(pawl_dtype dtype) {
  if (is_complex(dtype)) return PAWL_C128;
  if (!is_floating(dtype)) return dtype == PAWL_U64 ? PAWL_U64 : PAWL_I64;
  return dtype_bytes(dtype) <= 2 ? PAWL_F32 : PAWL_F64;
}

/** What an oracle on the host computes in. */
inline pawl_dtype widest(pawl_dtype dtype) {
  return is_floating(dtype) && !is_complex(dtype) ? PAWL_F64 : wider(dtype);
}

/** Integers saturate: a fill that overshoots its type stays at the type's end instead of wrapping around. */
template <typename T>
PAWL_HOST_DEVICE T saturate(double value, double low, double high) {
  const double rounded = rint(value);
  return static_cast<T>(rounded < low ? low : rounded > high ? high : rounded);
}

/** A complex element takes the value as its real part, and no imaginary one. */
PAWL_HOST_DEVICE inline void store_element(void *data, pawl_dtype dtype, std::size_t index, double value) {
  switch (dtype) {
    case PAWL_F64: static_cast<double *>(data)[index] = value; return;
    case PAWL_F32: static_cast<float *>(data)[index] = static_cast<float>(value); return;
    case PAWL_F16: static_cast<std::uint16_t *>(data)[index] = F16::encode(value); return;
    case PAWL_BF16: static_cast<std::uint16_t *>(data)[index] = Bf16::encode(value); return;
    // 2^63 is not an int64: the upper end is the largest double below it.
    case PAWL_I64:
      static_cast<std::int64_t *>(data)[index] = saturate<std::int64_t>(value, -0x1p63, 9223372036854774784.0);
      return;
    case PAWL_I32:
      static_cast<std::int32_t *>(data)[index] = saturate<std::int32_t>(value, -2147483648.0, 2147483647.0);
      return;
    case PAWL_I16: static_cast<std::int16_t *>(data)[index] = saturate<std::int16_t>(value, -32768, 32767); return;
    case PAWL_I8: static_cast<std::int8_t *>(data)[index] = saturate<std::int8_t>(value, -128, 127); return;
    case PAWL_U8: static_cast<std::uint8_t *>(data)[index] = saturate<std::uint8_t>(value, 0, 255); return;
    case PAWL_U16: static_cast<std::uint16_t *>(data)[index] = saturate<std::uint16_t>(value, 0, 65535); return;
    case PAWL_U32: static_cast<std::uint32_t *>(data)[index] = saturate<std::uint32_t>(value, 0, 4294967295.0); return;
    // Nor is 2^64 a uint64.
    case PAWL_U64:
      static_cast<std::uint64_t *>(data)[index] = saturate<std::uint64_t>(value, 0, 18446744073709549568.0);
      return;
    case PAWL_BOOL: static_cast<std::uint8_t *>(data)[index] = saturate<std::uint8_t>(value, 0, 1); return;
    case PAWL_F8E4M3: static_cast<std::uint8_t *>(data)[index] = static_cast<std::uint8_t>(F8e4m3::encode(value)); return;
    case PAWL_F8E5M2: static_cast<std::uint8_t *>(data)[index] = static_cast<std::uint8_t>(F8e5m2::encode(value)); return;
    case PAWL_F4E2M1: {
      std::uint8_t &byte = static_cast<std::uint8_t *>(data)[index / 2];
      const unsigned shift = index % 2 * 4;
      byte = static_cast<std::uint8_t>((byte & ~(0xFu << shift)) | unsigned(F4e2m1::encode(value)) << shift);
      return;
    }
    case PAWL_C64:
      static_cast<float *>(data)[2 * index] = static_cast<float>(value);
      static_cast<float *>(data)[2 * index + 1] = 0;
      return;
    case PAWL_C128:
      static_cast<double *>(data)[2 * index] = value;
      static_cast<double *>(data)[2 * index + 1] = 0;
      return;
  }
}

/** For floating-point types that are real: of complex ones, the parts. */
PAWL_HOST_DEVICE inline double load_floating(const void *data, pawl_dtype dtype, std::size_t index) {
  switch (dtype) {
    case PAWL_F64: return static_cast<const double *>(data)[index];
    case PAWL_F32: return static_cast<const float *>(data)[index];
    case PAWL_F16: return F16::decode(static_cast<const std::uint16_t *>(data)[index]);
    case PAWL_BF16: return Bf16::decode(static_cast<const std::uint16_t *>(data)[index]);
    case PAWL_F8E4M3: return F8e4m3::decode(static_cast<const std::uint8_t *>(data)[index]);
    case PAWL_F8E5M2: return F8e5m2::decode(static_cast<const std::uint8_t *>(data)[index]);
    case PAWL_F4E2M1:
      return F4e2m1::decode(static_cast<const std::uint8_t *>(data)[index / 2] >> (index % 2 * 4) & 0xF);
    case PAWL_C64: case PAWL_C128: break;
    case PAWL_I64: case PAWL_I32: case PAWL_I16: case PAWL_I8: break;
    case PAWL_U64: case PAWL_U32: case PAWL_U16: case PAWL_U8: case PAWL_BOOL: break;
  }
  return 0;
}

/** For integer types. Of u64 the bits: `integer_value` knows what they mean. */
PAWL_HOST_DEVICE inline std::int64_t load_integer(const void *data, pawl_dtype dtype, std::size_t index) {
  switch (dtype) {
    case PAWL_I64: return static_cast<const std::int64_t *>(data)[index];
    case PAWL_I32: return static_cast<const std::int32_t *>(data)[index];
    case PAWL_I16: return static_cast<const std::int16_t *>(data)[index];
    case PAWL_I8: return static_cast<const std::int8_t *>(data)[index];
    case PAWL_U8: return static_cast<const std::uint8_t *>(data)[index];
    case PAWL_U16: return static_cast<const std::uint16_t *>(data)[index];
    case PAWL_U32: return static_cast<const std::uint32_t *>(data)[index];
    case PAWL_U64: return static_cast<std::int64_t>(static_cast<const std::uint64_t *>(data)[index]);
    // As it is: a byte that is neither 0 nor 1 is wrong.
    case PAWL_BOOL: return static_cast<const std::uint8_t *>(data)[index];
    case PAWL_F64: case PAWL_F32: case PAWL_F16: case PAWL_BF16: case PAWL_F8E4M3: case PAWL_F8E5M2: break;
    case PAWL_F4E2M1: case PAWL_C64: case PAWL_C128: break;
  }
  return 0;
}

/** The nearest double to an integer that `load_integer` found. */
PAWL_HOST_DEVICE inline double integer_value(std::int64_t found, pawl_dtype dtype) {
  return dtype == PAWL_U64 ? static_cast<double>(static_cast<std::uint64_t>(found)) : static_cast<double>(found);
}

/** One element into its wider type, without any rounding. */
PAWL_HOST_DEVICE inline void widen_element(void *wide, pawl_dtype wide_dtype, const void *data, pawl_dtype dtype,
                                           std::size_t index) {
  if (is_complex(wide_dtype))
    for (std::size_t part = 2 * index; part < 2 * index + 2; ++part)
      store_element(wide, part_dtype(wide_dtype), part, load_floating(data, part_dtype(dtype), part));
  else if (wide_dtype == PAWL_BOOL)
    static_cast<std::uint8_t *>(wide)[index] = static_cast<std::uint8_t>(load_integer(data, dtype, index));
  else if (!is_floating(wide_dtype))
    static_cast<std::int64_t *>(wide)[index] = load_integer(data, dtype, index);
  else
    store_element(wide, wide_dtype, index, load_floating(data, dtype, index));
}

}  // namespace pawl
