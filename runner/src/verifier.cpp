#include "verifier.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "blind_checker.hpp"
#include "error.hpp"
#include "milliseconds_since.hpp"
#include "plain_arithmetic.hpp"

namespace pawl {
namespace {

using Clock = std::chrono::steady_clock;

/** An oracle that takes longer is not asked twice more: a device is held meanwhile, and a check has a time-out. */
constexpr double SLOW_ORACLE_MS = 1000;
/** Calls that draws are taken from, however many one call makes: each element is looked at alone, too. */
constexpr std::size_t LEAST_CALLS = 64;
/** How long calls may go on that only draw. */
constexpr double MOST_DRAWING_MS = 5000;

std::string number(double value) { return Json(value).text(); }

/** On the host, where draws are counted. */
template <typename T>
std::vector<T> on_host(Device &device, const KeptTensor &kept) {
  std::vector<T> values(kept.bytes() / sizeof(T));
  device.copy_to_host(values.data(), kept.data(), kept.bytes());
  return values;
}

}  // namespace

KeptTensors take_outputs(const PreparedCase &prepared, std::size_t set) {
  const std::vector<TensorSpec> &tensors = prepared.problem().tensors;
  KeptTensors outputs(tensors.size());
  for (std::size_t t = 0; t < outputs.size(); ++t)
    if (tensors[t].is_written()) outputs[t] = prepared.take(set, t);
  return outputs;
}

Verifier::Verifier(Device &device, const PreparedCase &prepared, const Judges &judges, RuleSet rules)
    : device_(device), prepared_(prepared), judges_(judges), rules_(std::move(rules)), problem_(prepared.problem()) {
  for (const auto &[name, own] : rules_.outputs) {
    bool found = false;
    for (const TensorSpec &tensor : problem_.tensors)
      found = found || (tensor.name == name && tensor.is_written());
    if (!found) bad_request("there are rules for '" + name + "', which is not an output of this case");
  }
  if (judges_.checker != nullptr) judges_.checker->mark(problem_);
  asked_ = asking_for_probabilities(problem_);
  for (const TensorSpec &tensor : problem_.tensors)
    if (tensor.is_written() && tensor.judged != Judged::by_checker && judges_.oracle == nullptr)
      bad_request("nothing says whether '" + tensor.name + "' is right: there is no oracle, and the checker leaves it out");
}

void Verifier::take_inputs(std::size_t set) {
  right_.reset();
  inputs_.resize(problem_.tensors.size());
  for (std::size_t t = 0; t < inputs_.size(); ++t)
    if (!problem_.tensors[t].is_pure_output()) inputs_[t] = prepared_.take(set, t);
}

std::optional<ReferenceError> Verifier::reference_error(std::size_t tensor) const {
  const TensorSpec &judged = compared_.tensors[tensor];
  if (right_->reference.empty() || !judged.is_compared() || judged.elements == 0) return std::nullopt;
  const Rules exactly{0, 0};
  const TensorComparison compared = compare(device_, judged, right_->reference[tensor].data(),
                                            right_->wanted[tensor].data(), exactly, std::nullopt);
  return ReferenceError{compared.max_abs_err, compared.rms_err};
}

Judgement Verifier::judge(const Outputs &outputs) {
  Judgement judgement;
  judgement.tensors = Json::array();
  judgement.sampled = Json::array();
  if (judges_.oracle != nullptr) compare_with_oracle(outputs, judgement);
  if (judges_.checker != nullptr) ask_checker(outputs, judgement);
  judgement.passed = judgement.tampering.empty();
  return judgement;
}

void Verifier::compare_with_oracle(const Outputs &outputs, Judgement &judgement) {
  const PlainArithmetic plain;
  const Oracle &oracle = *judges_.oracle;
  if (!right_) {
    const auto started = Clock::now();
    right_ = oracle.run(device_, asked_, inputs_, rules_.want_reference() && oracle.has_reference());
    oracle_ms_ = milliseconds_since(started);
    judgement.oracle_ms = oracle_ms_;
    leave_out_uncounted();
  }
  for (std::size_t t = 0; t < problem_.tensors.size(); ++t) {
    const TensorSpec &tensor = compared_.tensors[t];
    if (tensor.distribution) {
      DrawTest test(tensor, on_host<double>(device_, right_->wanted[t]), oracle.name());
      test.add(on_host<unsigned char>(device_, outputs[t]));
      add_draws(test, tensor, judgement);
    }
    if (!tensor.is_compared() || tensor.elements == 0) continue;
    const std::optional<ReferenceError> reference = reference_error(t);
    TensorComparison compared = compare(device_, tensor, outputs[t].data(), right_->wanted[t].data(),
                                        rules_.of(tensor.name), reference);
    if (compared.mismatches > 0)
      report(judgement.tampering,
             {"wrong-result", tensor.name,
              std::to_string(compared.mismatches) + " of " + std::to_string(tensor.elements) + " elements of '" +
                  tensor.name + "' differ from " + oracle.name() + "; worst at " + compared.worst});
    if (compared.less_precise)
      report(judgement.tampering,
             {"precision-lowered", tensor.name,
              "the error of '" + tensor.name + "' is " + number(compared.rms_err) + " (root mean square), and that of " +
                  oracle.name() + "'s pawl_reference in the same precision is " + number(reference->rms_err)});
    judgement.tensors.add(std::move(compared.json));
  }
}

void Verifier::leave_out_uncounted() {
  compared_ = problem_;
  for (std::size_t t = 0; t < problem_.tensors.size(); ++t) {
    const TensorSpec &tensor = problem_.tensors[t];
    if (tensor.counted_by.empty() || !tensor.is_compared()) continue;
    const std::size_t at = index_of(problem_, tensor.counted_by);
    if (!problem_.tensors[at].is_compared())
      bad_request("the checker judges '" + tensor.counted_by + "', which has to be known");
    const std::int64_t rows = on_host<std::int64_t>(device_, right_->wanted[at])[0];
    if (rows < 0 || rows > tensor.shape[0])
      throw RunnerError("load-failed", judges_.oracle->name() + " counts " + std::to_string(rows) + " rows of '" +
                                           tensor.name + "', which has " + std::to_string(tensor.shape[0]) + " at most");
    compared_.tensors[t] = first_rows(tensor, rows);
  }
}

bool Verifier::has_draws() const {
  return std::any_of(problem_.tensors.begin(), problem_.tensors.end(),
                     [](const TensorSpec &tensor) { return tensor.distribution.has_value(); });
}

void Verifier::add_draws(const DrawTest &test, const TensorSpec &tensor, Judgement &judgement) const {
  DrawTest::Verdict verdict = test.verdict();
  judgement.sampled.add(std::move(verdict.json));
  if (!verdict.fault.empty()) report(judgement.tampering, {"wrong-result", tensor.name, verdict.fault});
}

Judgement Verifier::judge_draws(const std::function<Outputs()> &call, std::size_t draws) {
  tests_.clear();
  std::size_t calls = LEAST_CALLS;
  for (std::size_t t = 0; t < problem_.tensors.size(); ++t) {
    const TensorSpec &tensor = problem_.tensors[t];
    if (!tensor.distribution) continue;
    tests_.emplace(t, DrawTest(tensor, on_host<double>(device_, right_->wanted[t]), judges_.oracle->name()));
    calls = std::max(calls, (draws + tensor.elements - 1) / tensor.elements);
  }
  const auto started = Clock::now();
  for (std::size_t made = 0; made < calls && milliseconds_since(started) < MOST_DRAWING_MS; ++made) {
    const Outputs outputs = call();
    for (auto &[t, test] : tests_) test.add(on_host<unsigned char>(device_, outputs[t]));
  }
  Judgement judgement;
  judgement.sampled = Json::array();
  for (const auto &[t, test] : tests_) add_draws(test, problem_.tensors[t], judgement);
  judgement.passed = judgement.tampering.empty();
  return judgement;
}

void Verifier::ask_checker(const Outputs &outputs, Judgement &judgement) {
  const Checker &checker = *judges_.checker;
  const auto started = Clock::now();
  const Checker::Opinion opinion = checker.judge(device_, problem_, inputs_, shown(outputs), rules_);
  const double took_ms = milliseconds_since(started);
  judgement.oracle_ms += took_ms;
  // What one more judgement would take: the oracle's answer is known only for the same inputs.
  oracle_ms_ = std::max(oracle_ms_, took_ms);
  Json checked = Json::object().set("name", checker.name()).set("passed", opinion.passed);
  if (!opinion.message.empty()) checked.set("message", opinion.message);
  judgement.checked = std::move(checked);
  if (opinion.passed) return;
  std::vector<std::string> judged;
  for (const TensorSpec &tensor : problem_.tensors)
    if (tensor.judged == Judged::by_checker) judged.push_back(tensor.name);
  report(judgement.tampering, {"wrong-result", judged.size() == 1 ? judged[0] : "",
                               checker.name() + " refuses the outputs" +
                                   (opinion.message.empty() ? "" : ": " + opinion.message)});
}

Blindness Verifier::find_blind_answers(const Outputs &outputs, KeptTensors other, const Outputs &other_outputs) {
  Blindness found;
  found.answers = Json::array();
  const auto started = Clock::now();
  if (judges_.oracle != nullptr) find_blind_rules(std::move(other), found);
  if (judges_.checker != nullptr) {
    const BlindChecker tried(device_, problem_, *judges_.checker, rules_, inputs_, outputs, other_outputs);
    tried.add_to(found.answers);
    found.notes.insert(found.notes.end(), tried.notes().begin(), tried.notes().end());
  }
  found.oracle_ms = milliseconds_since(started);
  return found;
}

/** With nothing else at hand, draws that need no work; with the probabilities of other inputs, draws from these. */
void Verifier::find_blind_tests(const KeptTensors *other, Blindness &found) const {
  for (const auto &[t, test] : tests_) {
    const std::size_t draws = test.calls() * problem_.tensors[t].elements;
    const auto attempt = [&, at = t](const char *answer, const std::vector<double> &probabilities) {
      if (!test.is_blind_to(probabilities)) return;
      found.answers.add(Json::object()
                            .set("answer", answer)
                            .set("tensor", problem_.tensors[at].name)
                            .set("draws", static_cast<std::uint64_t>(draws)));
    };
    if (other != nullptr) {
      attempt("other inputs", on_host<double>(device_, (*other)[t]));
      continue;
    }
    attempt("zeros", test.always(false));
    attempt("the likeliest", test.always(true));
    attempt("all alike", test.evenly());
  }
}

void Verifier::find_blind_rules(KeptTensors other, Blindness &found) {
  const PlainArithmetic plain;
  const Oracle &oracle = *judges_.oracle;
  const bool is_slow = oracle_ms_ > SLOW_ORACLE_MS;
  std::vector<std::optional<ReferenceError>> errors(problem_.tensors.size());
  for (std::size_t t = 0; t < errors.size(); ++t)
    if (compared_.tensors[t].is_compared()) errors[t] = reference_error(t);
  KeptTensors asked;
  const auto reference = [&]() -> const KeptTensors & {
    if (!right_->reference.empty() || is_slow || !oracle.has_reference()) return right_->reference;
    try {
      asked = oracle.run(device_, asked_, inputs_, true).reference;
    } catch (const RunnerError &error) {
      // Without a `factor`, it did not have to work on these tensors.
      if (error.code() != "load-failed") throw;
    }
    return asked;
  };
  BlindAnswers answers(device_, compared_, inputs_, right_->wanted, rules_, std::move(errors), reference);
  answers.try_plain();
  const std::string untried = "the tolerance was not tried on the outputs of other inputs: ";
  Blindness draws;
  draws.answers = Json::array();
  find_blind_tests(nullptr, draws);
  if (is_slow) {
    const long tenths = std::lround(oracle_ms_ / 100);
    found.notes.push_back(untried + oracle.name() + " takes " + number(static_cast<double>(tenths) / 10) + " s");
  } else {
    try {
      // A few elements that changed places may change an output less than any tolerance sees.
      if (prepared_.contents_differ()) {
        const KeptTensors others = oracle.run(device_, asked_, other, false).wanted;
        answers.try_outputs("other inputs", others);
        find_blind_tests(&others, draws);
        other.clear();
      } else {
        found.notes.push_back(untried + "all of them are recorded");
      }
      if (const std::optional<KeptTensors> half = half_of_inputs(device_, problem_, inputs_))
        answers.try_outputs("half of the inputs", oracle.run(device_, asked_, *half, false).wanted);
    } catch (const RunnerError &error) {
      // An oracle may refuse inputs that no fill makes, and further copies of large ones may find no room.
      const bool has_no_room = error.code() == "out-of-memory" && problem_.bytes >= LARGE_BYTES;
      if (error.code() != "load-failed" && !has_no_room) throw;
      found.notes.push_back(untried + error.what());
    }
  }
  found.answers = answers.json();
  for (const Json &one : draws.answers.items()) found.answers.add(one);
  found.notes.insert(found.notes.end(), answers.notes().begin(), answers.notes().end());
}

}  // namespace pawl
