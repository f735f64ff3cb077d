#include "compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>
#include <thread>
#include <vector>

#include <sched.h>

#include "error_spread.hpp"

namespace pawl {
namespace {

constexpr double INFINITE = std::numeric_limits<double>::infinity();
constexpr std::size_t MOST_NEIGHBOURS = 8;
/** Fewer errors than this say little about a precision: the reference's own may be small by luck. */
constexpr std::size_t LEAST_ERRORS = 32;

/**
 * NaN and infinities must stand in the same places, infinities with the same sign. But the oracle's type reaches
 * further than the tensor's: near the end of its range an infinity is a number that was rounded up, and as far off as
 * the least number that is.
 */
double floating_error(double got, double want, pawl_dtype dtype) {
  if (std::isfinite(got) && std::isfinite(want)) return std::fabs(got - want);
  if (std::isnan(got) && std::isnan(want)) return 0;
  if (got == want) return 0;
  if (std::isnan(got) && !has_infinities(dtype)) {
    // Its only way to say infinity, or a number that is too large.
    if (std::isinf(want)) return 0;
    got = std::copysign(INFINITE, want);
  }
  const double largest = largest_finite(dtype);
  if (std::isinf(got) && std::isfinite(want) && std::signbit(got) == std::signbit(want) &&
      std::fabs(want) >= largest * (15.0 / 16)) {
    const double rounds_up = largest + std::ldexp(1.0, std::ilogb(largest) - mantissa_bits(dtype) - 1);
    return std::max(0.0, rounds_up - std::fabs(want));
  }
  return INFINITE;
}

/** Subtracted as unsigned: the distance of two int64 always fits, their signed difference does not. */
double integer_error(std::int64_t got, std::int64_t want, pawl_dtype dtype) {
  const auto a = static_cast<std::uint64_t>(got);
  const auto b = static_cast<std::uint64_t>(want);
  const bool larger = dtype == PAWL_U64 ? a > b : got > want;
  return static_cast<double>(larger ? a - b : b - a);
}

/** JSON has neither NaN nor infinities, and which of them an element is matters. */
Json element_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

/** "1.5-2i" */
std::string complex_text(double real, double imaginary) {
  const auto text = [](double value) {
    const Json json = element_json(value);
    return json.kind() == Json::Kind::string ? json.string() : json.text();
  };
  const std::string second = text(imaginary);
  return text(real) + (second[0] == '-' ? "" : "+") + second + "i";
}

double rounded(double value, pawl_dtype dtype) {
  std::uint64_t stored = 0;
  store_element(&stored, dtype, 0, value);
  return load_floating(&stored, dtype, 0);
}

/** One unit in the last place of numbers of this size. */
double unit_in_last_place(double size, pawl_dtype dtype) {
  const double least = smallest_denormal(dtype);
  return size > 0 ? std::max(std::ldexp(1.0, std::ilogb(size) - mantissa_bits(dtype)), least) : least;
}

std::vector<std::int64_t> coordinates(const TensorSpec &tensor, std::size_t place) {
  std::vector<std::int64_t> index(tensor.shape.size());
  for (std::size_t axis = index.size(); axis-- > 0;) {
    index[axis] = static_cast<std::int64_t>(place % static_cast<std::size_t>(tensor.shape[axis]));
    place /= static_cast<std::size_t>(tensor.shape[axis]);
  }
  return index;
}

/** Places beside one: two on either side along the last axis, then one along the others, from the inner to the outer. */
std::vector<std::size_t> neighbours(const TensorSpec &tensor, std::size_t place) {
  const std::vector<std::int64_t> index = coordinates(tensor, place);
  std::vector<std::size_t> found;
  std::int64_t step = 1;
  for (std::size_t axis = index.size(); axis-- > 0; step *= tensor.shape[axis]) {
    const bool last = axis + 1 == index.size();
    for (const std::int64_t distance : {-1, 1, -2, 2}) {
      if ((!last && std::abs(distance) > 1) || found.size() == MOST_NEIGHBOURS) continue;
      if (index[axis] + distance < 0 || index[axis] + distance >= tensor.shape[axis]) continue;
      found.push_back(static_cast<std::size_t>(static_cast<std::int64_t>(place) + distance * step));
    }
  }
  return found;
}

/** The two sides of a comparison, whatever their type. */
class Sides {
 public:
  Sides(const TensorSpec &tensor, const void *got, const WideValues &want)
      : tensor_(tensor), got_(got), want_(want), floating_(is_floating(tensor.dtype)), complex_(is_complex(tensor.dtype)) {}

  double error(std::size_t i) const {
    if (complex_) return std::hypot(part_error(2 * i), part_error(2 * i + 1));
    return floating_ ? floating_error(got_value(i), want_.floating[i], tensor_.dtype)
                     : integer_error(load_integer(got_, tensor_.dtype, i), want_.integers[i], tensor_.dtype);
  }
  /** Of a complex element, its absolute value. */
  double wanted(std::size_t i) const {
    if (complex_) return std::hypot(want_.floating[2 * i], want_.floating[2 * i + 1]);
    return floating_ ? want_.floating[i] : integer_value(want_.integers[i], tensor_.dtype);
  }
  /** Equal to what the oracle says, or to that in the tensor's own precision. */
  bool exact(std::size_t i, double error) const {
    if (error == 0) return true;
    if (complex_) return std::isfinite(error) && is_rounded(2 * i) && is_rounded(2 * i + 1);
    return floating_ && std::isfinite(error) && got_value(i) == rounded(want_.floating[i], tensor_.dtype);
  }
  Json pair(std::size_t i) const {
    if (complex_)
      return Json::object()
          .set("index", Json::list(coordinates(tensor_, i)))
          .set("got", complex_text(got_value(2 * i), got_value(2 * i + 1)))
          .set("want", complex_text(want_.floating[2 * i], want_.floating[2 * i + 1]));
    return Json::object()
        .set("index", Json::list(coordinates(tensor_, i)))
        .set("got", floating_ ? element_json(got_value(i)) : integer_json(load_integer(got_, tensor_.dtype, i)))
        .set("want", floating_ ? element_json(want_.floating[i]) : integer_json(want_.integers[i]));
  }

 private:
  const TensorSpec &tensor_;
  const void *got_;
  const WideValues &want_;
  bool floating_;
  bool complex_;

  /** Of one of the numbers that a complex element consists of. */
  double part_error(std::size_t part) const {
    return floating_error(got_value(part), want_.floating[part], part_dtype(tensor_.dtype));
  }
  bool is_rounded(std::size_t part) const {
    return got_value(part) == rounded(want_.floating[part], part_dtype(tensor_.dtype));
  }
  Json integer_json(std::int64_t found) const {
    return tensor_.dtype == PAWL_U64 ? Json(static_cast<std::uint64_t>(found)) : Json(found);
  }
  double got_value(std::size_t i) const { return load_floating(got_, part_dtype(tensor_.dtype), i); }
};

/** "[0, 3]: 1.5 where 0.25 is right" */
std::string sentence(const TensorSpec &tensor, std::size_t place, const Json &pair) {
  std::string text = "[";
  for (const std::int64_t at : coordinates(tensor, place)) text += (text.size() > 1 ? ", " : "") + std::to_string(at);
  const auto value = [](const Json *json) {
    return json->kind() == Json::Kind::string ? json->string() : json->text();
  };
  return text + "]: " + value(pair.find("got")) + " where " + value(pair.find("want")) + " is right";
}

/** Whether errors of this size are no luck, but a lower precision than the reference has. */
bool is_less_precise(pawl_dtype dtype, double rms_err, double rms_wanted, double factor,
                     const ReferenceError &reference) {
  if (!is_floating(dtype) || !std::isfinite(rms_err) || !std::isfinite(reference.rms_err)) return false;
  const double unit = unit_in_last_place(rms_wanted, dtype);
  // On data that it happens to compute exactly the reference's error says nothing. Rounding once to the nearest makes
  // errors that are uniform over one unit, of which the root mean square is 1/√12.
  const double expected = std::max(reference.rms_err, unit / std::sqrt(12.0));
  // A sum of many terms that cancel has an error of many units of what is left, in any order but a lucky one; half of
  // the bits that f32 has beyond f16 are room enough for that, and far from enough to hide f16, bf16 or tf32.
  constexpr double SUM_UNITS = 256;
  return rms_err > factor * expected + (dtype_bytes(dtype) > 2 ? SUM_UNITS * unit : unit / 2);
}

/** What a range of elements comes to. */
struct Tally {
  ErrorSpread spread;
  double max_abs_err = 0, max_rel_err = 0, worst_err = 0, squared_errors = 0, squared_wanted = 0;
  std::size_t worst = 0, numbers = 0, mismatches = 0, misplaced = 0;

  void element(const Sides &sides, std::size_t i, const Rules &rules, double excused) {
    const double error = sides.error(i);
    const double wanted = sides.wanted(i);
    const double magnitude = std::isfinite(wanted) ? std::fabs(wanted) : 0;
    if (std::isfinite(wanted)) {
      ++numbers;
      squared_wanted += wanted * wanted;
    }
    squared_errors += error * error;
    max_abs_err = std::max(max_abs_err, error);
    if (magnitude > 0) max_rel_err = std::max(max_rel_err, error / magnitude);
    if (sides.exact(i, error))
      spread.exact();
    else
      spread.add(error);
    // Written so that a NaN on either side of <= is a mismatch.
    const bool mismatch = !(error <= std::max(rules.atol + rules.rtol * magnitude, excused));
    see_worst(i, error, mismatch);
    mismatches += mismatch ? 1 : 0;
    misplaced += mismatch && !std::isfinite(error) ? 1 : 0;
  }

  /** Elements that come after those of this one. */
  void add(const Tally &later) {
    spread.add(later.spread);
    max_abs_err = std::max(max_abs_err, later.max_abs_err);
    max_rel_err = std::max(max_rel_err, later.max_rel_err);
    squared_errors += later.squared_errors;
    squared_wanted += later.squared_wanted;
    numbers += later.numbers;
    see_worst(later.worst, later.worst_err, later.mismatches > 0);
    mismatches += later.mismatches;
    misplaced += later.misplaced;
  }

 private:
  /** What is out of tolerance comes before what is only far off. */
  void see_worst(std::size_t i, double error, bool mismatch) {
    if (mismatch ? mismatches > 0 && !(error > worst_err) : mismatches > 0 || !(error > worst_err)) return;
    worst_err = error;
    worst = i;
  }
};

/** CPUs this process may use: one for a kernel that is pinned to one. */
std::size_t usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
}

/** A range for each thread, and none so short that starting the thread costs more than it saves. */
Tally tally(const Sides &sides, std::size_t elements, const Rules &rules, double excused) {
  constexpr std::size_t LEAST_ELEMENTS = 1 << 18;
  const std::size_t ranges = std::clamp<std::size_t>(elements / LEAST_ELEMENTS, 1, usable_cpus());
  std::vector<Tally> tallies(ranges);
  const auto work = [&](std::size_t range) {
    // A thread has the arithmetic of the one that started it.
    for (std::size_t i = elements * range / ranges; i < elements * (range + 1) / ranges; ++i)
      tallies[range].element(sides, i, rules, excused);
  };
  std::vector<std::thread> helpers;
  std::size_t started = 1;
  try {
    for (; started < ranges; ++started) helpers.emplace_back(work, started);
  } catch (const std::system_error &) {
    // A limit on threads: what is left is done here.
  }
  work(0);
  for (std::size_t range = started; range < ranges; ++range) work(range);
  for (std::thread &helper : helpers) helper.join();
  for (std::size_t range = 1; range < ranges; ++range) tallies[0].add(tallies[range]);
  return tallies[0];
}

}  // namespace

TensorComparison compare(const TensorSpec &tensor, const void *got, const WideValues &want, const Rules &rules,
                         const std::optional<ReferenceError> &reference) {
  const Sides sides(tensor, got, want);
  const double excused =
      reference && rules.factor && std::isfinite(reference->max_abs_err) ? *rules.factor * reference->max_abs_err : 0;
  const Tally all = tally(sides, tensor.elements, rules, excused);
  TensorComparison result;
  const auto elements = static_cast<double>(tensor.elements);
  // Of 0.99 and 100 elements one: 1 - 0.99 is a little less than 0.01.
  const bool excused_all =
      all.misplaced == 0 && static_cast<double>(all.mismatches) <= (1 - rules.share) * elements * (1 + 1e-9);
  result.mismatches = excused_all ? 0 : all.mismatches;
  result.max_abs_err = all.max_abs_err;
  result.rms_err = std::sqrt(all.squared_errors / elements);
  if (reference && rules.factor)
    result.less_precise =
        all.numbers >= LEAST_ERRORS && is_less_precise(tensor.dtype, result.rms_err,
                                                   std::sqrt(all.squared_wanted / static_cast<double>(all.numbers)),
                                                   *rules.factor, *reference);

  result.json = Json::object();
  result.json.set("name", tensor.name)
      .set("elements", static_cast<std::uint64_t>(tensor.elements))
      .set("mismatches", static_cast<std::uint64_t>(result.mismatches))
      .set("max_abs_err", result.max_abs_err)
      .set("max_rel_err", all.max_rel_err)
      .set("rms_err", result.rms_err)
      .set("spread", all.spread.json());
  if (excused_all && all.mismatches > 0) result.json.set("excused", static_cast<std::uint64_t>(all.mismatches));
  if (all.worst_err > 0) {
    Json pair = sides.pair(all.worst);
    result.worst = sentence(tensor, all.worst, pair);
    Json beside = Json::array();
    for (const std::size_t place : neighbours(tensor, all.worst)) beside.add(sides.pair(place));
    result.json.set("worst", std::move(pair.set("neighbours", std::move(beside))));
  }
  if (reference)
    result.json.set("reference", Json::object()
                                     .set("max_abs_err", reference->max_abs_err)
                                     .set("rms_err", reference->rms_err));
  return result;
}

}  // namespace pawl
