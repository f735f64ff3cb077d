#include "blind_checker.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "compare.hpp"
#include "error.hpp"
#include "plain_arithmetic.hpp"

namespace pawl {
namespace {

using Clock = std::chrono::steady_clock;

/** What trying may take; the answers that tell most come first. */
constexpr double MOST_MS = 3000;

std::vector<unsigned char> constant_like(const TensorSpec &tensor, const std::vector<unsigned char> &right) {
  const WideValues values = widen_values(right.data(), tensor.dtype, tensor.elements);
  double sum = 0;
  std::size_t numbers = 0;
  for (std::size_t i = 0; i < tensor.elements; ++i) {
    const double value = is_floating(tensor.dtype) ? values.floating[i] : integer_value(values.integers[i], tensor.dtype);
    if (!std::isfinite(value)) continue;
    sum += value;
    ++numbers;
  }
  std::vector<unsigned char> bytes(tensor.bytes);
  const double mean = numbers == 0 ? 0 : sum / static_cast<double>(numbers);
  for (std::size_t i = 0; i < tensor.elements; ++i) store_element(bytes.data(), tensor.dtype, i, mean);
  return bytes;
}

}  // namespace

BlindChecker::BlindChecker(Device &device, const Problem &problem, const Checker &checker, const RuleSet &rules,
                           const TensorBytes &inputs, const TensorBytes &right, const TensorBytes &others)
    : device_(device), problem_(problem), checker_(checker), rules_(rules), inputs_(inputs), right_(right) {
  const PlainArithmetic plain;
  const auto started = Clock::now();
  for (std::size_t t = 0; t < problem.tensors.size(); ++t)
    if (problem.tensors[t].judged == Judged::by_checker) judged_.push_back(t);

  struct Kind {
    std::string answer;
    TensorBytes bytes;
  };
  std::vector<Kind> kinds;
  const auto add = [&](const std::string &answer, const auto &bytes_of) {
    kinds.push_back({answer, TensorBytes(problem.tensors.size())});
    for (const std::size_t t : judged_) kinds.back().bytes[t] = bytes_of(t);
  };
  add("poison", [&](std::size_t t) { return std::vector<unsigned char>(problem.tensors[t].bytes, 0xFF); });
  add("zeros", [&](std::size_t t) { return std::vector<unsigned char>(problem.tensors[t].bytes, 0); });
  add("other inputs", [&](std::size_t t) { return others[t]; });
  add("constant", [&](std::size_t t) { return constant_like(problem.tensors[t], right[t]); });
  for (std::size_t i = 0; i < problem.tensors.size(); ++i) {
    const TensorSpec &input = problem.tensors[i];
    if (input.is_pure_output()) continue;
    add("input " + input.name, [&](std::size_t t) {
      const TensorSpec &tensor = problem.tensors[t];
      // Of another type a copy is a conversion, which a kernel has to do as well: that is work.
      if (input.dtype != tensor.dtype || input.elements < tensor.elements) return std::vector<unsigned char>();
      return std::vector<unsigned char>(inputs[i].begin(),
                                        inputs[i].begin() + static_cast<std::ptrdiff_t>(tensor.bytes));
    });
  }

  std::size_t untried = 0;
  const auto attempt = [&](const Kind &kind, const std::vector<std::size_t> &tensors) {
    if (std::chrono::duration<double, std::milli>(Clock::now() - started).count() > MOST_MS)
      ++untried;
    else
      try_answer(kind.answer, tensors, kind.bytes);
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

bool BlindChecker::equals_right(std::size_t t, const std::vector<unsigned char> &bytes) const {
  const TensorSpec &tensor = problem_.tensors[t];
  const WideValues right = widen_values(right_[t].data(), tensor.dtype, tensor.elements);
  return compare(tensor, bytes.data(), right, {0, 0}, std::nullopt).mismatches == 0;
}

void BlindChecker::try_answer(const std::string &answer, const std::vector<std::size_t> &tensors,
                              const TensorBytes &bytes) {
  TensorBytes outputs = right_;
  bool differs = false;
  for (const std::size_t t : tensors) {
    if (bytes[t].empty() || is_known(answer, t)) return;
    differs = differs || !equals_right(t, bytes[t]);
    outputs[t] = bytes[t];
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
    if (!equals_right(t, bytes[t])) found_.push_back({answer, problem_.tensors[t].name});
}

void BlindChecker::add_to(Json &list) const {
  for (const Found &found : found_)
    list.add(Json::object().set("answer", found.answer).set("tensor", found.tensor).set("checker", checker_.name()));
}

}  // namespace pawl
