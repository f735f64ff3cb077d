#include "verifier.hpp"

#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "error.hpp"
#include "plain_arithmetic.hpp"

namespace pawl {
namespace {

using Clock = std::chrono::steady_clock;

/** An oracle that takes longer is not asked twice more: a device is held meanwhile, and a check has a time-out. */
constexpr double SLOW_ORACLE_MS = 1000;

double milliseconds_since(Clock::time_point started) {
  return std::chrono::duration<double, std::milli>(Clock::now() - started).count();
}

std::string number(double value) { return Json(value).text(); }

std::vector<unsigned char> copy(Device &device, const PreparedCase &prepared, std::size_t set, std::size_t tensor) {
  std::vector<unsigned char> bytes(prepared.problem().tensors[tensor].bytes);
  device.copy_to_host(bytes.data(), prepared.data(set, tensor), bytes.size());
  return bytes;
}

}  // namespace

TensorBytes take_outputs(Device &device, const PreparedCase &prepared, std::size_t set) {
  const std::vector<TensorSpec> &tensors = prepared.problem().tensors;
  TensorBytes outputs(tensors.size());
  for (std::size_t t = 0; t < outputs.size(); ++t)
    if (tensors[t].is_written()) outputs[t] = copy(device, prepared, set, t);
  return outputs;
}

Verifier::Verifier(Device &device, const PreparedCase &prepared, const Oracle &oracle, RuleSet rules)
    : device_(device), prepared_(prepared), oracle_(oracle), rules_(std::move(rules)) {
  for (const auto &[name, own] : rules_.outputs) {
    bool found = false;
    for (const TensorSpec &tensor : prepared_.problem().tensors)
      found = found || (tensor.name == name && tensor.is_written());
    if (!found) bad_request("there are rules for '" + name + "', which is no output of this case");
  }
}

void Verifier::take_inputs(std::size_t set) {
  right_.reset();
  inputs_.resize(prepared_.problem().tensors.size());
  for (std::size_t t = 0; t < inputs_.size(); ++t)
    if (!prepared_.problem().tensors[t].is_pure_output()) inputs_[t] = copy(device_, prepared_, set, t);
}

std::optional<ReferenceError> Verifier::reference_error(std::size_t tensor) const {
  if (right_->reference.empty()) return std::nullopt;
  const Rules exactly{0, 0};
  const TensorComparison compared = compare(prepared_.problem().tensors[tensor], right_->reference[tensor].data(),
                                            right_->wanted[tensor], exactly, std::nullopt);
  return ReferenceError{compared.max_abs_err, compared.rms_err};
}

Judgement Verifier::judge(const Outputs &outputs) {
  const PlainArithmetic plain;
  const Problem &problem = prepared_.problem();
  Judgement judgement;
  judgement.tensors = Json::array();
  if (!right_) {
    const auto started = Clock::now();
    right_ = oracle_.run(device_, problem, inputs_, rules_.want_reference() && oracle_.has_reference());
    oracle_ms_ = milliseconds_since(started);
    judgement.oracle_ms = oracle_ms_;
  }
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    const TensorSpec &tensor = problem.tensors[t];
    if (!tensor.is_written()) continue;
    const std::optional<ReferenceError> reference = reference_error(t);
    TensorComparison compared = compare(tensor, outputs[t].data(), right_->wanted[t], rules_.of(tensor.name), reference);
    if (compared.mismatches > 0)
      report(judgement.tampering,
             {"wrong-result", tensor.name,
              std::to_string(compared.mismatches) + " of " + std::to_string(tensor.elements) + " elements of '" +
                  tensor.name + "' differ from " + oracle_.name() + "; worst at " + compared.worst});
    if (compared.less_precise)
      report(judgement.tampering,
             {"precision-lowered", tensor.name,
              "the error of '" + tensor.name + "' is " + number(compared.rms_err) + " (root mean square), and that of " +
                  oracle_.name() + "'s pawl_reference in the same precision is " + number(reference->rms_err)});
    judgement.tensors.add(std::move(compared.json));
  }
  judgement.passed = judgement.tampering.empty();
  return judgement;
}

Blindness Verifier::find_blind_answers(const TensorBytes &other) {
  const PlainArithmetic plain;
  const Problem &problem = prepared_.problem();
  const bool is_slow = oracle_ms_ > SLOW_ORACLE_MS;
  std::vector<std::optional<ReferenceError>> errors(problem.tensors.size());
  for (std::size_t t = 0; t < errors.size(); ++t)
    if (problem.tensors[t].is_written()) errors[t] = reference_error(t);
  const auto reference = [&]() -> TensorBytes {
    if (!right_->reference.empty() || is_slow || !oracle_.has_reference()) return right_->reference;
    try {
      return oracle_.run(device_, problem, inputs_, true).reference;
    } catch (const RunnerError &error) {
      // Without a `factor` nobody needed it to work on these tensors.
      if (error.code() != "load-failed") throw;
      return {};
    }
  };
  BlindAnswers answers(problem, inputs_, right_->wanted, rules_, std::move(errors), reference);
  answers.try_plain();
  Blindness found;
  const std::string untried = "the tolerance was not tried on the outputs of other inputs: ";
  const auto started = Clock::now();
  if (is_slow) {
    const long tenths = std::lround(oracle_ms_ / 100);
    found.notes.push_back(untried + oracle_.name() + " takes " + number(static_cast<double>(tenths) / 10) + " s");
  } else {
    try {
      // A few elements that changed places may change an output less than any tolerance sees.
      if (prepared_.contents_differ())
        answers.try_outputs("other inputs", oracle_.run(device_, problem, other, false).wanted);
      else
        found.notes.push_back(untried + "all of them are recorded");
      if (const std::optional<TensorBytes> half = half_of_inputs(problem, inputs_))
        answers.try_outputs("half of the inputs", oracle_.run(device_, problem, *half, false).wanted);
    } catch (const RunnerError &error) {
      // An oracle may refuse inputs that no fill makes.
      if (error.code() != "load-failed") throw;
      found.notes.push_back(untried + error.what());
    }
  }
  found.oracle_ms = milliseconds_since(started);
  found.answers = answers.json();
  found.notes.insert(found.notes.end(), answers.notes().begin(), answers.notes().end());
  return found;
}

}  // namespace pawl
