#include "compare.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pawl {
namespace {

constexpr std::size_t MOST_NEIGHBOURS = 8;
/** Fewer errors than this say little about a precision: the reference's own may be small by luck. */
constexpr std::size_t LEAST_ERRORS = 32;

/** JSON has neither NaN nor infinities, and which of them an element is matters. */
Json element_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

/** "1.5-2i" */
std::string complex_text(const double *parts) {
  const auto text = [](double value) {
    const Json json = element_json(value);
    return json.kind() == Json::Kind::string ? json.string() : json.text();
  };
  const std::string second = text(parts[1]);
  return text(parts[0]) + (second[0] == '-' ? "" : "+") + second + "i";
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

/** The two sides of a comparison, a few elements of which are looked at. */
class Sides {
 public:
  Sides(Device &device, const TensorSpec &tensor, const void *got, const void *want)
      : device_(device), tensor_(tensor), got_(got), want_(want) {}

  Json pair(std::size_t i) const {
    const pawl_dtype dtype = tensor_.dtype;
    std::uint64_t got[2] = {}, want[2] = {};
    const std::size_t size = dtype_bytes(dtype), wide = dtype_bytes(widest(dtype));
    const std::size_t piece = is_packed(dtype) ? i / 2 : i, within = is_packed(dtype) ? i % 2 : 0;
    device_.copy_to_host(got, static_cast<const unsigned char *>(got_) + piece * size, size);
    device_.copy_to_host(want, static_cast<const unsigned char *>(want_) + i * wide, wide);
    Json found = Json::object().set("index", Json::list(coordinates(tensor_, i)));
    if (is_complex(dtype)) {
      const double parts[] = {load_floating(got, part_dtype(dtype), 0), load_floating(got, part_dtype(dtype), 1)};
      const double right[] = {load_floating(want, PAWL_F64, 0), load_floating(want, PAWL_F64, 1)};
      return found.set("got", complex_text(parts)).set("want", complex_text(right));
    }
    if (is_floating(dtype))
      return found.set("got", element_json(load_floating(got, dtype, within)))
          .set("want", element_json(load_floating(want, PAWL_F64, 0)));
    return found.set("got", integer_json(load_integer(got, dtype, 0)))
        .set("want", integer_json(static_cast<std::int64_t>(want[0])));
  }

 private:
  Device &device_;
  const TensorSpec &tensor_;
  const void *got_;
  const void *want_;

  Json integer_json(std::int64_t found) const {
    return tensor_.dtype == PAWL_U64 ? Json(static_cast<std::uint64_t>(found)) : Json(found);
  }
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

/** Whether errors of this size come from a lower precision than the reference has, not from chance. */
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

}  // namespace

double excused_error(const Rules &rules, const std::optional<ReferenceError> &reference) {
  return reference && rules.factor && std::isfinite(reference->max_abs_err) ? *rules.factor * reference->max_abs_err : 0;
}

TensorComparison compare(Device &device, const TensorSpec &tensor, const void *got, const void *want,
                         const Rules &rules, const std::optional<ReferenceError> &reference) {
  const Sides sides(device, tensor, got, want);
  const Compared compared = device.compare(
      {got, want, tensor.dtype, tensor.elements, rules.atol, rules.rtol, excused_error(rules, reference)});
  const Tally &all = compared.tally;
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
      .set("spread", compared.spread.json());
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
