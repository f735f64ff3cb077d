#include "blind_checker.hpp"

#include <algorithm>
#include <chrono>

#include "compare.hpp"
#include "error.hpp"

namespace pawl {
namespace {

using Clock = std::chrono::steady_clock;

/** What trying may take; the answers that tell most come first. */
constexpr double MOST_MS = 3000;

KeptTensor written(Device &device, const TensorSpec &tensor, const Answer &answer) {
  KeptTensor kept(device, tensor.bytes);
  device.write({kept.data(), tensor.dtype, tensor.elements}, answer);
  return kept;
}

KeptTensor wide_copy(Device &device, const TensorSpec &tensor, const KeptTensor &values) {
  KeptTensor wide(device, tensor.elements * dtype_bytes(widest(tensor.dtype)));
  device.widen(wide.data(), widest(tensor.dtype), values.data(), tensor.dtype, tensor.elements);
  return wide;
}

}  // namespace

BlindChecker::BlindChecker(Device &device, const Problem &problem, const Checker &checker, const RuleSet &rules,
                           const KeptTensors &inputs, const KeptTensors &right, const KeptTensors &others)
    : device_(device), problem_(problem), checker_(checker), rules_(rules), inputs_(inputs), right_(right) {
  const auto started = Clock::now();
  for (std::size_t t = 0; t < problem.tensors.size(); ++t)
    if (problem.tensors[t].judged == Judged::by_checker) judged_.push_back(t);

  struct Kind {
    std::string answer;
    KeptTensors values;
  };
  std::vector<Kind> kinds;
  const auto add = [&](const std::string &answer, const auto &values_of) {
    kinds.push_back({answer, KeptTensors(problem.tensors.size())});
    for (const std::size_t t : judged_) kinds.back().values[t] = values_of(t);
  };
  const auto copy = [&](const TensorSpec &tensor, const KeptTensor &from) {
    return KeptTensor::copy_of(device, from.data(), tensor.bytes);
  };
  add("poison", [&](std::size_t t) { return written(device, problem.tensors[t], {Answer::Of::bytes, 0xFF}); });
  add("zeros", [&](std::size_t t) { return written(device, problem.tensors[t], {Answer::Of::bytes, 0}); });
  add("other inputs", [&](std::size_t t) { return copy(problem.tensors[t], others[t]); });
  add("constant", [&](std::size_t t) { return constant(t); });
  for (std::size_t i = 0; i < problem.tensors.size(); ++i) {
    const TensorSpec &input = problem.tensors[i];
    if (input.is_pure_output()) continue;
    add("input " + input.name, [&](std::size_t t) {
      const TensorSpec &tensor = problem.tensors[t];
      // Of another type a copy is a conversion, which a kernel has to do as well: that is work.
      if (input.dtype != tensor.dtype || input.elements < tensor.elements) return KeptTensor();
      return copy(tensor, inputs[i]);
    });
  }

  std::size_t untried = 0;
  const auto attempt = [&](const Kind &kind, const std::vector<std::size_t> &tensors) {
    if (std::chrono::duration<double, std::milli>(Clock::now() - started).count() > MOST_MS)
      ++untried;
    else
      try_answer(kind.answer, tensors, kind.values);
  };
  if (judged_.size() > 1)
    for (const Kind &kind : kinds) attempt(kind, judged_);
  for (const Kind &kind : kinds)
    for (const std::size_t t : judged_) attempt(kind, {t});
  if (untried > 0)
    notes_.push_back("the checker was not tried on " + std::to_string(untried) +
                     " more answers that need no work: " + checker_.name() + " takes long");
}

bool BlindChecker::is_known(const std::string &answer, std::size_t tensor) const {
  return std::any_of(found_.begin(), found_.end(), [&](const Found &found) {
    return found.answer == answer && found.tensor == problem_.tensors[tensor].name;
  });
}

KeptTensor BlindChecker::constant(std::size_t t) const {
  const TensorSpec &tensor = problem_.tensors[t];
  const KeptTensor right = wide_copy(device_, tensor, right_[t]);
  const Description found = device_.describe({right.data(), nullptr, tensor.dtype, tensor.elements, 0, 0, 0});
  const double mean = found.numbers == 0 ? 0 : found.sum / static_cast<double>(found.numbers);
  return written(device_, tensor, {Answer::Of::constant, mean});
}

bool BlindChecker::equals_right(std::size_t t, const KeptTensor &answer) const {
  const TensorSpec &tensor = problem_.tensors[t];
  const KeptTensor right = wide_copy(device_, tensor, right_[t]);
  return compare(device_, tensor, answer.data(), right.data(), {0, 0}, std::nullopt).mismatches == 0;
}

void BlindChecker::try_answer(const std::string &answer, const std::vector<std::size_t> &tensors,
                              const KeptTensors &values) {
  ShownTensors outputs = shown(right_);
  bool differs = false;
  for (const std::size_t t : tensors) {
    if (values[t].empty() || is_known(answer, t)) return;
    differs = differs || !equals_right(t, values[t]);
    outputs[t] = &values[t];
  }
  if (!differs) return;
  try {
    if (!checker_.judge(device_, problem_, inputs_, outputs, rules_).passed) return;
  } catch (const RunnerError &error) {
    // It fails on what no honest kernel writes, and lets nothing pass.
    if (error.code() != "checker-failed") throw;
    return;
  }
  for (const std::size_t t : tensors)
    if (!equals_right(t, values[t])) found_.push_back({answer, problem_.tensors[t].name});
}

void BlindChecker::add_to(Json &list) const {
  for (const Found &found : found_)
    list.add(Json::object().set("answer", found.answer).set("tensor", found.tensor).set("checker", checker_.name()));
}

}  // namespace pawl
