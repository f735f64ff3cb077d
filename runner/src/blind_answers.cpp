#include "blind_answers.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace pawl {
namespace {

/** Elements that decide about most answers. */
constexpr std::size_t FIRST_ELEMENTS = 4096;
/** How many times the reference's own error an honest kernel may be off: it sums in another order. */
constexpr double REFERENCE_TIMES = 4;
/** Units in the last place that an honest kernel may be off: 16-bit outputs are rounded once from a wider sum. */
constexpr double NARROW_UNITS = 2;
/** The sums of wider ones lose digits themselves, as many as `compare` allows them (SUM_UNITS). */
constexpr double WIDE_UNITS = 256;

/** For a file that people read: two digits, rounded up so that what passed goes on passing. */
double two_digits(double value) {
  if (!(value > 0) || !std::isfinite(value)) return value;
  const double step = std::pow(10.0, std::floor(std::log10(value)) - 1);
  // Division by a power of ten is inexact: 2e-3 must not become 2.1e-3.
  const double digits = std::ceil(value / step - 1e-9);
  return std::stod(Json(digits).text() + "e" + std::to_string(static_cast<int>(std::floor(std::log10(value))) - 1));
}

double wanted(const WideValues &values, pawl_dtype dtype, std::size_t i) {
  return is_floating(dtype) ? values.floating[i] : integer_value(values.integers[i], dtype);
}

/** The nearest that the type holds, without going through a double where that would round. */
void store_wide(void *data, pawl_dtype dtype, std::size_t at, const WideValues &values, std::size_t i) {
  if (dtype == PAWL_I64 || dtype == PAWL_U64)
    static_cast<std::int64_t *>(data)[at] = values.integers[i];
  else
    store_element(data, dtype, at, wanted(values, dtype, i));
}

/** One element in another type. */
void convert(void *data, pawl_dtype dtype, std::size_t at, const void *from, pawl_dtype from_dtype, std::size_t i) {
  const std::size_t size = dtype_bytes(dtype);
  if (dtype == from_dtype) {
    std::memcpy(static_cast<unsigned char *>(data) + at * size, static_cast<const unsigned char *>(from) + i * size,
                size);
    return;
  }
  const double value = is_floating(from_dtype) ? load_floating(from, from_dtype, i)
                                               : integer_value(load_integer(from, from_dtype, i), from_dtype);
  // No integer is NaN, and casting one is undefined.
  store_element(data, dtype, at, std::isnan(value) && !is_floating(dtype) ? 0 : value);
}

std::string spoken(const std::string &answer, const std::string &tensor) { return answer + " for '" + tensor + "'"; }

}  // namespace

BlindAnswers::BlindAnswers(const Problem &problem, const TensorBytes &inputs,
                           const std::vector<WideValues> &right, const RuleSet &rules,
                           std::vector<std::optional<ReferenceError>> errors, Reference reference)
    : problem_(problem),
      inputs_(inputs),
      right_(right),
      rules_(rules),
      errors_(std::move(errors)),
      ask_reference_(std::move(reference)),
      seeing_(problem.tensors.size()) {}

void BlindAnswers::try_plain() {
  for (std::size_t t = 0; t < problem_.tensors.size(); ++t) {
    const TensorSpec &tensor = problem_.tensors[t];
    if (!tensor.is_compared() || tensor.elements == 0) continue;
    const std::size_t size = dtype_bytes(tensor.dtype);
    const auto bytes = [&](unsigned char byte) -> Writer {
      return [size, byte](void *data, std::size_t, std::size_t count) { std::memset(data, byte, count * size); };
    };
    try_answer(t, "zeros", bytes(0));
    if (tensor.is_pure_output()) try_answer(t, "poison", bytes(0xFF));
    try_constants(t);
    for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
      const TensorSpec &input = problem_.tensors[i];
      if (input.is_pure_output() || input.elements < tensor.elements) continue;
      try_answer(t, "input " + input.name, [&, i](void *data, std::size_t from, std::size_t count) {
        for (std::size_t at = 0; at < count; ++at)
          convert(data, tensor.dtype, at, inputs_[i].data(), problem_.tensors[i].dtype, from + at);
      });
    }
    if (is_floating(tensor.dtype))
      try_answer(t, "half of the sum", [&](void *data, std::size_t from, std::size_t count) {
        for (std::size_t at = 0; at < count; ++at)
          store_element(data, tensor.dtype, at, 0.5 * right_[t].floating[from + at]);
      });
  }
}

void BlindAnswers::try_outputs(const std::string &answer, const std::vector<WideValues> &outputs) {
  for (std::size_t t = 0; t < problem_.tensors.size(); ++t) {
    const TensorSpec &tensor = problem_.tensors[t];
    if (!tensor.is_compared() || tensor.elements == 0) continue;
    try_answer(t, answer, [&](void *data, std::size_t from, std::size_t count) {
      for (std::size_t at = 0; at < count; ++at) store_wide(data, tensor.dtype, at, outputs[t], from + at);
    });
  }
}

namespace {

/** Elements that a search for the best constant looks at. */
constexpr std::size_t SWEPT = 4096;

/** Where most intervals meet: the constant that is right for most elements. */
double most_covered(std::vector<std::pair<double, double>> intervals) {
  std::vector<std::pair<double, int>> ends;
  for (const auto &[low, high] : intervals) {
    ends.emplace_back(low, 0);  // before what ends at the same number
    ends.emplace_back(high, 1);
  }
  std::sort(ends.begin(), ends.end());
  double best = 0;
  std::ptrdiff_t open = 0, most = 0;
  for (const auto &[at, closes] : ends) {
    open += closes != 0 ? -1 : 1;
    if (open <= most) continue;
    most = open;
    best = at;
  }
  return best;
}

}  // namespace

void BlindAnswers::try_constant(std::size_t t, double value) {
  const TensorSpec &tensor = problem_.tensors[t];
  try_answer(t, "constant", [&](void *data, std::size_t, std::size_t count) {
    for (std::size_t at = 0; at < count; ++at) store_element(data, tensor.dtype, at, value);
  });
}

/**
 * The mean, and the middle of the numbers that are within the tolerance of every element, where there are any. Where
 * not every element has to be within, the number that is within the tolerance of most of them.
 */
void BlindAnswers::try_constants(std::size_t t) {
  const TensorSpec &tensor = problem_.tensors[t];
  const Rules &own = rules(t);
  const double excused = errors_[t] && own.factor && std::isfinite(errors_[t]->max_abs_err)
                             ? *own.factor * errors_[t]->max_abs_err
                             : 0;
  double low = -std::numeric_limits<double>::infinity(), high = -low, sum = 0;
  std::size_t numbers = 0;
  std::vector<std::pair<double, double>> intervals;
  const std::size_t step = std::max<std::size_t>(1, tensor.elements / SWEPT);
  for (std::size_t i = 0; i < tensor.elements; ++i) {
    const double value = wanted(right_[t], tensor.dtype, i);
    if (!std::isfinite(value)) continue;
    const double allowed = std::max(own.atol + own.rtol * std::fabs(value), excused);
    low = std::max(low, value - allowed);
    high = std::min(high, value + allowed);
    if (own.share < 1 && i % step == 0) intervals.emplace_back(value - allowed, value + allowed);
    // Where no number is near enough to all of them, no constant passes.
    if (low > high && own.share >= 1) return;
    sum += value;
    ++numbers;
  }
  if (numbers == 0) return;
  try_constant(t, sum / static_cast<double>(numbers));
  try_constant(t, low <= high ? low + (high - low) / 2 : most_covered(std::move(intervals)));
}

std::vector<unsigned char> BlindAnswers::written(std::size_t t, const Writer &write, std::size_t count) const {
  const TensorSpec &tensor = problem_.tensors[t];
  std::vector<unsigned char> answer(count * dtype_bytes(tensor.dtype));
  write(answer.data(), 0, count);
  if (!is_floating(tensor.dtype)) return answer;
  // Where NaN or an infinity is right, every answer has it: that a few places are told apart says nothing of the rest.
  for (std::size_t i = 0; i < count; ++i)
    if (!std::isfinite(right_[t].floating[i]))
      store_element(answer.data(), tensor.dtype, i, right_[t].floating[i]);
  return answer;
}

bool BlindAnswers::passes(std::size_t t, const std::vector<unsigned char> &answer, const Rules &rules) const {
  const TensorComparison compared =
      compare(problem_.tensors[t], answer.data(), right_[t], rules, errors_[t]);
  return compared.mismatches == 0 && !compared.less_precise;
}

bool BlindAnswers::passes_at_first(std::size_t t, const Writer &write) const {
  // Which elements are excused is not known before all are compared.
  if (rules(t).share < 1) return true;
  TensorSpec first = problem_.tensors[t];
  first.elements = std::min(first.elements, FIRST_ELEMENTS);
  first.shape = {static_cast<std::int64_t>(first.elements)};
  const auto part = static_cast<std::ptrdiff_t>(first.elements);
  const WideValues &all = right_[t];
  WideValues values;
  if (is_floating(first.dtype))
    values.floating.assign(all.floating.begin(), all.floating.begin() + part);
  else
    values.integers.assign(all.integers.begin(), all.integers.begin() + part);
  const std::vector<unsigned char> answer = written(t, write, first.elements);
  return compare(first, answer.data(), values, rules(t), errors_[t]).mismatches == 0;
}

void BlindAnswers::try_answer(std::size_t t, const std::string &answer, const Writer &write) {
  const TensorSpec &tensor = problem_.tensors[t];
  for (const BlindAnswer &known : found_)
    if (known.answer == answer && known.tensor == tensor.name) return;
  if (!passes_at_first(t, write)) return;
  const std::vector<unsigned char> bytes = written(t, write, tensor.elements);
  if (!passes(t, bytes, rules(t))) return;
  const std::vector<unsigned char> nearest = written(
      t,
      [&](void *data, std::size_t from, std::size_t count) {
        for (std::size_t at = 0; at < count; ++at)
          store_wide(data, tensor.dtype, at, right_[t], from + at);
      },
      tensor.elements);
  // Compared as numbers: a zero is right whatever its sign.
  const WideValues rounded = widen_values(nearest.data(), tensor.dtype, tensor.elements);
  const TensorComparison distance = compare(tensor, bytes.data(), rounded, {0, 0}, std::nullopt);
  if (distance.mismatches == 0) return;
  Rules own = seeing_rules(t);
  // An output that is nearly all zeros: no tolerance sees as long as the rest of it is excused.
  if (own.share < 1 && passes(t, bytes, own)) own.share = 1;
  if (!passes(t, bytes, own)) {
    const Rules shared = shared_rules();
    const bool alone =
        rules_.has_own(tensor.name) || own.share != rules(t).share || passes(t, bytes, shared);
    found_.push_back({answer, tensor.name, distance.max_abs_err, alone ? own : shared, alone});
    return;
  }
  const std::string note = "an answer that needs no work (" + spoken(answer, tensor.name) +
                           ") is as near to the right one as rounding is: no tolerance tells them apart, and a fill "
                           "of other values might";
  if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
}

/**
 * What a kernel of this precision can keep. A unit in the last place or a few of each value, and for values that are
 * small because terms cancel, as much of the values' typical size, or several times what the reference is off beyond
 * that. Nothing is loosened that was tighter.
 */
Rules BlindAnswers::make_seeing_rules(std::size_t t) {
  const TensorSpec &tensor = problem_.tensors[t];
  const Rules &declared = rules(t);
  Rules sees{declared.atol, 0, std::nullopt, declared.share};
  if (!is_floating(tensor.dtype)) {
    const double own = errors_[t] ? errors_[t]->max_abs_err : 0;
    sees.atol = std::min(declared.atol, std::isfinite(own) ? own : 0);
    return sees;
  }
  const double unit = std::ldexp(1.0, -mantissa_bits(tensor.dtype));
  const double units = dtype_bytes(tensor.dtype) > 2 ? WIDE_UNITS : NARROW_UNITS;
  sees.rtol = std::clamp(declared.rtol, unit, units * unit);

  const std::vector<double> &values = right_[t].floating;
  if (!reference_) reference_ = ask_reference_();
  // One that is wrong itself says nothing of what can be kept.
  const bool has_reference =
      !reference_->empty() && !(*reference_)[t].empty() && passes(t, (*reference_)[t], declared);
  double squares = 0, beyond = 0;
  std::size_t numbers = 0;
  for (std::size_t i = 0; i < tensor.elements; ++i) {
    if (!std::isfinite(values[i])) continue;
    squares += values[i] * values[i];
    ++numbers;
    if (!has_reference) continue;
    const double error = std::fabs(load_floating((*reference_)[t].data(), tensor.dtype, i) - values[i]);
    if (std::isfinite(error)) beyond = std::max(beyond, error - sees.rtol * std::fabs(values[i]));
  }
  const double typical = numbers == 0 ? 0 : std::sqrt(squares / static_cast<double>(numbers));
  const double rounding = std::max(units * unit * typical, units * smallest_denormal(tensor.dtype));
  sees.atol = std::min(declared.atol, std::max(rounding, REFERENCE_TIMES * beyond));
  // Both are written into a file by people.
  sees.atol = std::min(declared.atol, two_digits(sees.atol));
  sees.rtol = sees.rtol == declared.rtol ? sees.rtol : two_digits(sees.rtol);
  if (declared.factor) sees.factor = std::min(*declared.factor, REFERENCE_TIMES);
  return sees;
}

const Rules &BlindAnswers::seeing_rules(std::size_t t) {
  if (!seeing_[t]) seeing_[t] = make_seeing_rules(t);
  return *seeing_[t];
}

Rules BlindAnswers::shared_rules() {
  Rules shared{0, 0, std::nullopt, rules_.general.share};
  for (std::size_t t = 0; t < problem_.tensors.size(); ++t) {
    if (!problem_.tensors[t].is_compared() || problem_.tensors[t].elements == 0 || rules_.has_own(problem_.tensors[t].name)) continue;
    const Rules &own = seeing_rules(t);
    shared.atol = std::max(shared.atol, own.atol);
    shared.rtol = std::max(shared.rtol, own.rtol);
    if (own.factor) shared.factor = own.factor;
  }
  return shared;
}

Json BlindAnswers::json() const {
  Json list = Json::array();
  for (const BlindAnswer &blind : found_) {
    Json one = Json::object();
    one.set("answer", blind.answer)
        .set("tensor", blind.tensor)
        .set("max_abs_err", blind.max_abs_err)
        .set("atol", blind.sees.atol)
        .set("rtol", blind.sees.rtol);
    if (blind.sees.factor) one.set("factor", *blind.sees.factor);
    if (blind.sees.share != rules_.of(blind.tensor).share) one.set("share", blind.sees.share);
    if (blind.own) one.set("own", true);
    list.add(std::move(one));
  }
  return list;
}

std::optional<TensorBytes> half_of_inputs(const Problem &problem, const TensorBytes &inputs) {
  std::size_t all = 0, floating = 0;
  for (const TensorSpec &tensor : problem.tensors) {
    if (tensor.is_pure_output()) continue;
    all += tensor.elements;
    floating += is_floating(tensor.dtype) ? tensor.elements : 0;
  }
  // Zeros in what is only a factor or an epsilon beside other inputs are not half of the work.
  if (floating == 0 || floating < all / 2) return std::nullopt;
  TensorBytes halved = inputs;
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    const TensorSpec &tensor = problem.tensors[t];
    // An integer may be an index or an offset, and a zero there more than an oracle can take.
    if (tensor.is_pure_output() || !is_floating(tensor.dtype)) continue;
    // By a hash, so that it is half of a sum along any axis.
    for (std::size_t i = 0; i < tensor.elements; ++i)
      if ((mix(mix(t) ^ i) & 1) != 0) store_element(halved[t].data(), tensor.dtype, i, 0);
  }
  return halved;
}

}  // namespace pawl
