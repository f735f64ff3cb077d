#include "verifier.hpp"

#include <chrono>
#include <string>

#include "plain_arithmetic.hpp"

namespace pawl {
namespace {

std::string number(double value) { return Json(value).text(); }

}  // namespace

Verifier::Verifier(Device &device, const PreparedCase &prepared, const Oracle &oracle, Rules rules)
    : device_(device), prepared_(prepared), oracle_(oracle), rules_(rules) {}

std::vector<unsigned char> Verifier::copy(std::size_t set, std::size_t tensor) const {
  std::vector<unsigned char> bytes(prepared_.problem().tensors[tensor].bytes);
  device_.copy_to_host(bytes.data(), prepared_.data(set, tensor), bytes.size());
  return bytes;
}

void Verifier::take_inputs(std::size_t set) {
  right_.reset();
  inputs_.resize(prepared_.problem().tensors.size());
  for (std::size_t t = 0; t < inputs_.size(); ++t)
    if (!prepared_.problem().tensors[t].is_pure_output()) inputs_[t] = copy(set, t);
}

Verifier::Outputs Verifier::take_outputs(std::size_t set) const {
  Outputs outputs(prepared_.problem().tensors.size());
  for (std::size_t t = 0; t < outputs.size(); ++t)
    if (prepared_.problem().tensors[t].is_written()) outputs[t] = copy(set, t);
  return outputs;
}

std::optional<ReferenceError> Verifier::reference_error(std::size_t tensor) const {
  if (right_->reference.empty()) return std::nullopt;
  const Rules exactly{0, 0, std::nullopt};
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
    const auto started = std::chrono::steady_clock::now();
    right_ = oracle_.run(device_, problem, inputs_, rules_.factor.has_value() && oracle_.has_reference());
    judgement.oracle_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
  }
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    const TensorSpec &tensor = problem.tensors[t];
    if (!tensor.is_written()) continue;
    const std::optional<ReferenceError> reference = reference_error(t);
    TensorComparison compared = compare(tensor, outputs[t].data(), right_->wanted[t], rules_, reference);
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

}  // namespace pawl
