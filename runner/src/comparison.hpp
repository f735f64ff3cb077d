#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "element.hpp"
#include "host_device.hpp"

// What comparing an output comes to, element by element: the same code on the CPU and on a GPU.

namespace pawl {

PAWL_HOST_DEVICE inline bool is_nan(double value) { return value != value; }
PAWL_HOST_DEVICE inline bool is_finite(double value) { return value - value == 0; }
PAWL_HOST_DEVICE inline bool is_infinite(double value) { return !is_nan(value) && !is_finite(value); }
PAWL_HOST_DEVICE inline double larger(double a, double b) { return b > a ? b : a; }
PAWL_HOST_DEVICE inline double smaller(double a, double b) { return b < a ? b : a; }

/**
 * NaN and infinities must stand in the same places, infinities with the same sign. But the oracle's type reaches
 * further than the tensor's: near the end of its range an infinity is a number that was rounded up, and as far off as
 * the least number that is.
 */
PAWL_HOST_DEVICE inline double floating_error(double got, double want, pawl_dtype dtype) {
  // All that such a type can say of what is too large, and of NaN, is its largest number.
  if (saturates(dtype) && is_nan(want)) return fabs(got) == largest_finite(dtype) ? 0 : INFINITY;
  if (saturates(dtype)) want = clamp_finite(want, dtype);
  if (is_finite(got) && is_finite(want)) return fabs(got - want);
  if (is_nan(got) && is_nan(want)) return 0;
  if (got == want) return 0;
  if (is_nan(got) && !has_infinities(dtype)) {
    // Its only way to say infinity, or a number that is too large.
    if (is_infinite(want)) return 0;
    got = want < 0 ? -INFINITY : INFINITY;
  }
  const double largest = largest_finite(dtype);
  if (is_infinite(got) && is_finite(want) && (got < 0) == (want < 0) && fabs(want) >= largest * (15.0 / 16)) {
    const double rounds_up = largest + ldexp(1.0, ilogb(largest) - mantissa_bits(dtype) - 1);
    return larger(0.0, rounds_up - fabs(want));
  }
  return INFINITY;
}

/** Subtracted as unsigned: the distance of two int64 always fits, their signed difference does not. */
PAWL_HOST_DEVICE inline double integer_error(std::int64_t got, std::int64_t want, pawl_dtype dtype) {
  const auto a = static_cast<std::uint64_t>(got);
  const auto b = static_cast<std::uint64_t>(want);
  const bool got_is_larger = dtype == PAWL_U64 ? a > b : got > want;
  return static_cast<double>(got_is_larger ? a - b : b - a);
}

/** What is right, in 64 bits, as a number: of a complex element its absolute value. */
PAWL_HOST_DEVICE inline double wide_value(const void *wide, pawl_dtype dtype, std::size_t i) {
  if (is_complex(dtype)) return hypot(static_cast<const double *>(wide)[2 * i], static_cast<const double *>(wide)[2 * i + 1]);
  return is_floating(dtype) ? static_cast<const double *>(wide)[i]
                            : integer_value(static_cast<const std::int64_t *>(wide)[i], dtype);
}

PAWL_HOST_DEVICE inline double rounded(double value, pawl_dtype dtype) {
  std::uint64_t stored = 0;
  store_element(&stored, dtype, 0, value);
  return load_floating(&stored, dtype, 0);
}

/** An output in its own type beside what is right, which is f64, i64 or, of complex elements, c128. */
struct Comparison {
  const void *got;
  const void *want;
  pawl_dtype dtype;
  std::size_t count;
  double atol;
  double rtol;
  /** An error that is right whatever the tolerance says. */
  double excused;
};

struct ComparedElement {
  double error;
  double wanted;
  /** Equal to what the oracle says, or to that in the tensor's own precision. */
  bool exact;
  bool mismatch;
};

PAWL_HOST_DEVICE inline ComparedElement compare_element(const Comparison &compared, std::size_t i) {
  const pawl_dtype dtype = compared.dtype;
  const double wanted = wide_value(compared.want, dtype, i);
  double error = 0;
  bool exact = false;
  if (is_complex(dtype)) {
    exact = true;
    for (std::size_t part = 2 * i; part < 2 * i + 2; ++part) {
      const double got = load_floating(compared.got, part_dtype(dtype), part);
      const double want = static_cast<const double *>(compared.want)[part];
      const double off = floating_error(got, want, part_dtype(dtype));
      error = hypot(error, off);
      exact = exact && (off == 0 || (is_finite(off) && got == rounded(want, part_dtype(dtype))));
    }
  } else if (is_floating(dtype)) {
    const double got = load_floating(compared.got, dtype, i);
    error = floating_error(got, wanted, dtype);
    exact = error == 0 || (is_finite(error) && got == rounded(wanted, dtype));
  } else {
    error = integer_error(load_integer(compared.got, dtype, i), static_cast<const std::int64_t *>(compared.want)[i],
                          dtype);
    exact = error == 0;
  }
  const double magnitude = is_finite(wanted) ? fabs(wanted) : 0;
  // Written so that a NaN on either side of <= is a mismatch.
  const bool mismatch = !(error <= larger(compared.atol + compared.rtol * magnitude, compared.excused));
  return {error, wanted, exact, mismatch};
}

/** What many elements come to, in any order. */
struct Tally {
  double max_abs_err = 0, max_rel_err = 0, squared_errors = 0, squared_wanted = 0;
  std::uint64_t numbers = 0, mismatches = 0, misplaced = 0;
  double worst_err = 0;
  std::uint64_t worst = 0;

  PAWL_HOST_DEVICE void add(const ComparedElement &element, std::size_t i) {
    if (is_finite(element.wanted)) {
      ++numbers;
      squared_wanted += element.wanted * element.wanted;
      if (element.wanted != 0) max_rel_err = larger(max_rel_err, element.error / fabs(element.wanted));
    }
    squared_errors += element.error * element.error;
    max_abs_err = larger(max_abs_err, element.error);
    see_worst(i, element.error, element.mismatch);
    mismatches += element.mismatch ? 1 : 0;
    misplaced += element.mismatch && !is_finite(element.error) ? 1 : 0;
  }

  PAWL_HOST_DEVICE void add(const Tally &other) {
    max_abs_err = larger(max_abs_err, other.max_abs_err);
    max_rel_err = larger(max_rel_err, other.max_rel_err);
    squared_errors += other.squared_errors;
    squared_wanted += other.squared_wanted;
    numbers += other.numbers;
    see_worst(other.worst, other.worst_err, other.mismatches > 0);
    mismatches += other.mismatches;
    misplaced += other.misplaced;
  }

 private:
  /** What is out of tolerance comes before what is only far off, and of equals the first. */
  PAWL_HOST_DEVICE void see_worst(std::uint64_t i, double error, bool mismatch) {
    const bool known = mismatches > 0;
    const bool worse = mismatch != known ? mismatch : error > worst_err || (error == worst_err && error > 0 && i < worst);
    if (!worse) return;
    worst_err = error;
    worst = i;
  }
};

/** Two runs of one output, of which the second found other poison than the first. */
struct TwoRuns {
  const void *first;
  const void *second;
  std::size_t element_bytes;
  std::size_t count;
  /** Bytes of the second poison, the first being 0xFF; -1: neither was poisoned. */
  int second_poison;
};

/** Elements that held the poison of either run after it, so they were not written, and those that differ otherwise. */
struct Difference {
  std::size_t unwritten = 0;
  std::size_t differing = 0;
};

PAWL_HOST_DEVICE inline void add_difference(Difference &found, const TwoRuns &runs, std::size_t i) {
  const auto *first = static_cast<const unsigned char *>(runs.first) + i * runs.element_bytes;
  const auto *second = static_cast<const unsigned char *>(runs.second) + i * runs.element_bytes;
  bool poisoned = runs.second_poison >= 0, same = true;
  for (std::size_t byte = 0; byte < runs.element_bytes; ++byte) {
    poisoned = poisoned && first[byte] == 0xFF && second[byte] == runs.second_poison;
    same = same && first[byte] == second[byte];
  }
  found.unwritten += poisoned ? 1 : 0;
  found.differing += !poisoned && !same ? 1 : 0;
}

/** Right values, and what a trusted implementation in the same precision makes of them. */
struct Described {
  const void *want;
  /** In the tensor's own type; null: there is none. */
  const void *reference;
  pawl_dtype dtype;
  std::size_t count;
  double atol, rtol, excused;
};

/** Of the elements that are numbers. */
struct Description {
  std::uint64_t numbers = 0;
  /** Of complex elements, of the real parts; the other is of the imaginary ones. */
  double sum = 0, second_sum = 0, squares = 0;
  /** Between these, where low is not above high, a number is within the tolerance of every element. */
  double low = -INFINITY, high = INFINITY;
  /** How far the reference is off beyond `rtol`. */
  double beyond = 0;

  PAWL_HOST_DEVICE void add(const Description &other) {
    numbers += other.numbers;
    sum += other.sum;
    second_sum += other.second_sum;
    squares += other.squares;
    low = larger(low, other.low);
    high = smaller(high, other.high);
    beyond = larger(beyond, other.beyond);
  }
};

PAWL_HOST_DEVICE inline void add_described(Description &found, const Described &all, std::size_t i) {
  const double value = wide_value(all.want, all.dtype, i);
  if (!is_finite(value)) return;
  const double allowed = larger(all.atol + all.rtol * fabs(value), all.excused);
  ++found.numbers;
  if (is_complex(all.dtype)) {
    found.sum += static_cast<const double *>(all.want)[2 * i];
    found.second_sum += static_cast<const double *>(all.want)[2 * i + 1];
  } else {
    found.sum += value;
  }
  found.squares += value * value;
  found.low = larger(found.low, value - allowed);
  found.high = smaller(found.high, value + allowed);
  if (all.reference == nullptr || !is_floating(all.dtype)) return;
  double error = 0;
  if (is_complex(all.dtype))
    for (std::size_t part = 2 * i; part < 2 * i + 2; ++part)
      error = hypot(error, load_floating(all.reference, part_dtype(all.dtype), part) -
                               static_cast<const double *>(all.want)[part]);
  else
    error = fabs(load_floating(all.reference, all.dtype, i) - value);
  if (is_finite(error)) found.beyond = larger(found.beyond, error - all.rtol * fabs(value));
}

}  // namespace pawl
