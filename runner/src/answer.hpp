#pragma once

#include <cstddef>
#include <cstdint>

#include "comparison.hpp"
#include "fill.hpp"

namespace pawl {

/** Values that need no computing: what `BlindAnswers` tries on the rules. */
struct Answer {
  enum class Of {
    /** `value` everywhere, with `second` as the imaginary part of complex elements. */
    constant,
    /** All bytes are those of `value`. */
    bytes,
    /** Another tensor's elements in this type. */
    tensor,
    /** The same with about half of its elements zero, by a hash, so that it is half of a sum along any axis. */
    half_of_tensor,
    /** Wide values times `value`. */
    wide,
  };

  Of of;
  double value = 0;
  const void *from = nullptr;
  pawl_dtype from_dtype = PAWL_F64;
  /** Of the hash. */
  std::uint64_t salt = 0;
  double second = 0;
};

/** Where an answer is written to. */
struct Written {
  void *data;
  pawl_dtype dtype;
  std::size_t count;
  /** What is right: where that is NaN or an infinity, every answer has it. Null: the answer is written as it is. */
  const void *right = nullptr;
};

/** One element in another type. */
PAWL_HOST_DEVICE inline void convert_element(void *data, pawl_dtype dtype, const void *from, pawl_dtype from_dtype,
                                             std::size_t i) {
  if (dtype == from_dtype && !is_packed(dtype)) {
    const std::size_t size = dtype_bytes(dtype);
    for (std::size_t byte = i * size; byte < (i + 1) * size; ++byte)
      static_cast<unsigned char *>(data)[byte] = static_cast<const unsigned char *>(from)[byte];
    return;
  }
  // Of a complex element the real part: as good an answer without work as any.
  const double value = is_complex(from_dtype)    ? load_floating(from, part_dtype(from_dtype), 2 * i)
                       : is_floating(from_dtype) ? load_floating(from, from_dtype, i)
                                                 : integer_value(load_integer(from, from_dtype, i), from_dtype);
  // No integer is NaN, and casting one is undefined.
  store_element(data, dtype, i, is_nan(value) && !is_floating(dtype) ? 0 : value);
}

/** The numbers of a floating element that are not finite in the right one. */
PAWL_HOST_DEVICE inline void keep_nonfinite(const Written &written, std::size_t i) {
  if (written.right == nullptr || !is_floating(written.dtype)) return;
  const std::size_t parts = part_count(written.dtype);
  for (std::size_t part = parts * i; part < parts * (i + 1); ++part) {
    const double right = static_cast<const double *>(written.right)[part];
    if (!is_finite(right)) store_element(written.data, part_dtype(written.dtype), part, right);
  }
}

PAWL_HOST_DEVICE inline void write_answer(const Written &written, const Answer &answer, std::size_t i) {
  const pawl_dtype dtype = written.dtype;
  switch (answer.of) {
    case Answer::Of::constant:
      store_element(written.data, dtype, i, answer.value);
      if (is_complex(dtype)) store_element(written.data, part_dtype(dtype), 2 * i + 1, answer.second);
      return;
    case Answer::Of::bytes:
      for (std::size_t size = dtype_bytes(dtype), first = is_packed(dtype) ? i / 2 : i * size, byte = first;
           byte < first + size; ++byte)
        static_cast<unsigned char *>(written.data)[byte] = static_cast<unsigned char>(answer.value);
      return;
    case Answer::Of::tensor: convert_element(written.data, dtype, answer.from, answer.from_dtype, i); return;
    case Answer::Of::half_of_tensor:
      if ((mix(mix(answer.salt) ^ i) & 1) != 0)
        store_element(written.data, dtype, i, 0);
      else
        convert_element(written.data, dtype, answer.from, answer.from_dtype, i);
      return;
    case Answer::Of::wide:
      // The nearest that the type holds, without going through a double where that would round.
      if (is_complex(dtype))
        for (std::size_t part = 2 * i; part < 2 * i + 2; ++part)
          store_element(written.data, part_dtype(dtype), part,
                        answer.value * static_cast<const double *>(answer.from)[part]);
      else if (dtype == PAWL_I64 || dtype == PAWL_U64)
        static_cast<std::int64_t *>(written.data)[i] = static_cast<const std::int64_t *>(answer.from)[i];
      else
        store_element(written.data, dtype, i, answer.value * wide_value(answer.from, dtype, i));
      return;
  }
}

PAWL_HOST_DEVICE inline void write_element(const Written &written, const Answer &answer, std::size_t i) {
  // Who writes an element of even index writes the other one of its byte.
  if (is_packed(written.dtype) && i % 2 != 0) return;
  const std::size_t end = is_packed(written.dtype) && i + 1 < written.count ? i + 2 : i + 1;
  for (; i < end; ++i) {
    write_answer(written, answer, i);
    keep_nonfinite(written, i);
  }
}

}  // namespace pawl
