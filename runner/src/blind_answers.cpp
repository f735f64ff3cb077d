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

/** There is something to compare: of outputs whose rows are counted there may be none. */
bool is_tried(const TensorSpec &tensor) { return tensor.is_compared() && tensor.elements > 0; }

double units_of(const TensorSpec &tensor) { return dtype_bytes(tensor.dtype) > 2 ? WIDE_UNITS : NARROW_UNITS; }

/** What results of this type and size are off where nothing but rounding happens. */
double rounding_of(const TensorSpec &tensor, const Description &right) {
  const double unit = std::ldexp(1.0, -mantissa_bits(tensor.dtype));
  const double typical =
      right.numbers == 0 ? 0 : std::sqrt(right.squares / static_cast<double>(right.numbers));
  return units_of(tensor) * std::max(unit * typical, smallest_denormal(tensor.dtype));
}

std::string spoken(const std::string &answer, const std::string &tensor) { return answer + " for '" + tensor + "'"; }

}  // namespace

BlindAnswers::BlindAnswers(Device &device, const Problem &problem, const KeptTensors &inputs, const KeptTensors &right,
                           const RuleSet &rules, std::vector<std::optional<ReferenceError>> errors,
                           Reference reference)
    : device_(device),
      problem_(problem),
      inputs_(inputs),
      right_(right),
      rules_(rules),
      errors_(std::move(errors)),
      ask_reference_(std::move(reference)),
      seeing_(problem.tensors.size()) {}

void BlindAnswers::try_plain() {
  for (std::size_t t = 0; t < problem_.tensors.size(); ++t) {
    const TensorSpec &tensor = problem_.tensors[t];
    if (!is_tried(tensor)) continue;
    try_answer(t, "zeros", {Answer::Of::bytes, 0});
    if (tensor.is_pure_output()) try_answer(t, "poison", {Answer::Of::bytes, 0xFF});
    try_constants(t);
    for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
      const TensorSpec &input = problem_.tensors[i];
      if (input.is_pure_output() || input.elements < tensor.elements) continue;
      try_answer(t, "input " + input.name, {Answer::Of::tensor, 0, inputs_[i].data(), input.dtype});
    }
    if (is_floating(tensor.dtype))
      try_answer(t, "half of the sum", {Answer::Of::wide, 0.5, right_[t].data()});
  }
}

void BlindAnswers::try_outputs(const std::string &name, const KeptTensors &outputs) {
  for (std::size_t t = 0; t < problem_.tensors.size(); ++t)
    if (is_tried(problem_.tensors[t])) try_answer(t, name, {Answer::Of::wide, 1, outputs[t].data()});
}

double BlindAnswers::most_covered(std::size_t t, double excused) const {
  // Groups of elements, spread over the tensor: a device is asked for each.
  constexpr std::size_t GROUPS = 64, TOGETHER = 64;
  const TensorSpec &tensor = problem_.tensors[t];
  const Rules &own = rules(t);
  std::vector<std::pair<double, int>> ends;
  std::vector<std::uint64_t> values(std::min(TOGETHER, tensor.elements));
  const std::size_t last = tensor.elements - values.size();
  for (std::size_t group = 0; group < GROUPS; ++group) {
    const std::size_t at = last / (GROUPS - 1) * group;
    device_.copy_to_host(values.data(), static_cast<const std::uint64_t *>(right_[t].data()) + at, 8 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = wide_value(values.data(), tensor.dtype, i);
      if (!std::isfinite(value)) continue;
      const double allowed = std::max(own.atol + own.rtol * std::fabs(value), excused);
      ends.emplace_back(value - allowed, 0);  // before what ends at the same number
      ends.emplace_back(value + allowed, 1);
    }
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

/**
 * The mean, and the middle of the numbers that are within the tolerance of every element, where there are any. Where
 * not every element has to be within, the number that is within the tolerance of most of them.
 */
void BlindAnswers::try_constants(std::size_t t) {
  const TensorSpec &tensor = problem_.tensors[t];
  const Rules &own = rules(t);
  const double excused = excused_error(own, errors_[t]);
  const Description found =
      device_.describe({right_[t].data(), nullptr, tensor.dtype, tensor.elements, own.atol, own.rtol, excused});
  if (found.numbers == 0) return;
  const auto numbers = static_cast<double>(found.numbers);
  if (is_complex(tensor.dtype)) {
    Answer mean{Answer::Of::constant, found.sum / numbers};
    mean.second = found.second_sum / numbers;
    try_answer(t, "constant", mean);
    return;
  }
  const bool one_for_all = found.low <= found.high;
  // Where no number is near enough to all of them, no constant passes.
  if (!one_for_all && own.share >= 1) return;
  try_answer(t, "constant", {Answer::Of::constant, found.sum / numbers});
  const double middle = one_for_all ? found.low + (found.high - found.low) / 2 : most_covered(t, excused);
  try_answer(t, "constant", {Answer::Of::constant, middle});
}

KeptTensor BlindAnswers::written(std::size_t t, const Answer &answer, std::size_t count) const {
  const pawl_dtype dtype = problem_.tensors[t].dtype;
  KeptTensor kept(device_, bytes_of(dtype, count));
  // That a few NaN elements are told apart says nothing of the rest.
  device_.write({kept.data(), dtype, count, right_[t].data()}, answer);
  return kept;
}

bool BlindAnswers::passes(const TensorSpec &tensor, std::size_t t, const KeptTensor &answer, const Rules &rules) const {
  const TensorComparison compared = compare(device_, tensor, answer.data(), right_[t].data(), rules, errors_[t]);
  return compared.mismatches == 0 && !compared.less_precise;
}

bool BlindAnswers::passes_at_first(std::size_t t, const Answer &answer) const {
  // Which elements are excused is not known before all are compared.
  if (rules(t).share < 1) return true;
  TensorSpec first = problem_.tensors[t];
  first.elements = std::min(first.elements, FIRST_ELEMENTS);
  first.shape = {static_cast<std::int64_t>(first.elements)};
  const KeptTensor begun = written(t, answer, first.elements);
  return compare(device_, first, begun.data(), right_[t].data(), rules(t), errors_[t]).mismatches == 0;
}

void BlindAnswers::try_answer(std::size_t t, const std::string &name, const Answer &answer) {
  const TensorSpec &tensor = problem_.tensors[t];
  for (const BlindAnswer &known : found_)
    if (known.answer == name && known.tensor == tensor.name) return;
  if (!passes_at_first(t, answer)) return;
  const KeptTensor tried = written(t, answer, tensor.elements);
  if (!passes(tensor, t, tried, rules(t))) return;
  const KeptTensor nearest = written(t, {Answer::Of::wide, 1, right_[t].data()}, tensor.elements);
  // Compared as numbers: a zero is right whatever its sign.
  const KeptTensor rounded(device_, tensor.elements * dtype_bytes(widest(tensor.dtype)));
  device_.widen(rounded.data(), widest(tensor.dtype), nearest.data(), tensor.dtype, tensor.elements);
  const TensorComparison distance = compare(device_, tensor, tried.data(), rounded.data(), {0, 0}, std::nullopt);
  if (distance.mismatches == 0) {
    if (name == "zeros" && tensor.elements > 1)
      note("the right values of '" + tensor.name + "' are all zero here: this problem cannot tell a kernel that works " +
           "from one that returns zeros; other inputs might");
    return;
  }
  Rules own = seeing_rules(t);
  // An output that is nearly all zeros: no tolerance sees as long as the rest of it is excused.
  if (own.share < 1 && passes(tensor, t, tried, own)) own.share = 1;
  if (!passes(tensor, t, tried, own)) {
    const Rules shared = shared_rules();
    const bool alone =
        rules_.has_own(tensor.name) || own.share != rules(t).share || passes(tensor, t, tried, shared);
    found_.push_back({name, tensor.name, distance.max_abs_err, alone ? own : shared, alone});
    return;
  }
  if (is_floating(tensor.dtype) && !passes(tensor, t, tried, rounding_rules(t))) {
    found_.push_back({name, tensor.name, distance.max_abs_err, std::nullopt, false});
    return;
  }
  note("an answer that needs no work (" + spoken(name, tensor.name) +
       ") is as near to the right one as rounding is: no tolerance tells them apart, and a fill of other values might");
}

void BlindAnswers::note(const std::string &text) {
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(text);
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
  sees.rtol = std::clamp(declared.rtol, unit, units_of(tensor) * unit);

  if (reference_ == nullptr) reference_ = &ask_reference_();
  // One that is wrong itself says nothing of what can be kept.
  const bool has_reference =
      !reference_->empty() && !(*reference_)[t].empty() && passes(tensor, t, (*reference_)[t], declared);
  const Description found = device_.describe({right_[t].data(), has_reference ? (*reference_)[t].data() : nullptr,
                                              tensor.dtype, tensor.elements, 0, sees.rtol, 0});
  sees.atol = std::min(declared.atol, std::max(rounding_of(tensor, found), REFERENCE_TIMES * found.beyond));
  // Both are written into a file by people.
  sees.atol = std::min(declared.atol, two_digits(sees.atol));
  sees.rtol = sees.rtol == declared.rtol ? sees.rtol : two_digits(sees.rtol);
  if (declared.factor) sees.factor = std::min(*declared.factor, REFERENCE_TIMES);
  return sees;
}

Rules BlindAnswers::rounding_rules(std::size_t t) const {
  const TensorSpec &tensor = problem_.tensors[t];
  const double rtol = units_of(tensor) * std::ldexp(1.0, -mantissa_bits(tensor.dtype));
  const Description found =
      device_.describe({right_[t].data(), nullptr, tensor.dtype, tensor.elements, 0, rtol, 0});
  return {rounding_of(tensor, found), rtol};
}

const Rules &BlindAnswers::seeing_rules(std::size_t t) {
  if (!seeing_[t]) seeing_[t] = make_seeing_rules(t);
  return *seeing_[t];
}

Rules BlindAnswers::shared_rules() {
  Rules shared{0, 0, std::nullopt, rules_.general.share};
  for (std::size_t t = 0; t < problem_.tensors.size(); ++t) {
    if (!is_tried(problem_.tensors[t]) || rules_.has_own(problem_.tensors[t].name)) continue;
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
        .set("max_abs_err", blind.max_abs_err);
    if (blind.sees) {
      one.set("atol", blind.sees->atol).set("rtol", blind.sees->rtol);
      if (blind.sees->factor) one.set("factor", *blind.sees->factor);
      if (blind.sees->share != rules_.of(blind.tensor).share) one.set("share", blind.sees->share);
      if (blind.own) one.set("own", true);
    } else {
      one.set("imprecise", true);
    }
    list.add(std::move(one));
  }
  return list;
}

std::optional<KeptTensors> half_of_inputs(Device &device, const Problem &problem, const KeptTensors &inputs) {
  std::size_t all = 0, floating = 0;
  for (const TensorSpec &tensor : problem.tensors) {
    if (tensor.is_pure_output()) continue;
    all += tensor.elements;
    floating += is_floating(tensor.dtype) ? tensor.elements : 0;
  }
  // Zeros in what is only a factor or an epsilon beside other inputs are not half of the work.
  if (floating == 0 || floating < all / 2) return std::nullopt;
  KeptTensors halved(problem.tensors.size());
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    const TensorSpec &tensor = problem.tensors[t];
    if (tensor.is_pure_output()) continue;
    halved[t] = KeptTensor(device, tensor.bytes);
    // An integer may be an index or an offset, and a zero there more than an oracle can take.
    const Answer::Of half = is_floating(tensor.dtype) ? Answer::Of::half_of_tensor : Answer::Of::tensor;
    device.write({halved[t].data(), tensor.dtype, tensor.elements}, {half, 0, inputs[t].data(), tensor.dtype, t});
  }
  return halved;
}

}  // namespace pawl
