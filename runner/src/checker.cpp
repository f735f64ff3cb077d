#include "checker.hpp"

#include <algorithm>
#include <csignal>
#include <optional>

#include "deadline.hpp"
#include "device.hpp"
#include "error.hpp"
#include "wide_problem.hpp"

namespace pawl {
namespace {

constexpr const char *CHECKER_FAILED = "checker-failed";
/** By which the judge ends itself when a checker has not answered in time (src/runner/runner-process.ts). */
constexpr int HANGS = SIGVTALRM;
/** Where the answer lies: a byte that is 1 where the outputs are right, then text (checker.py, pawl_judge.h). */
constexpr std::int64_t ANSWER_BYTES = 1024;
/** Of a library, what the byte is where they are not right; 0: it has said nothing. */
constexpr unsigned char WRONG = 2;

TensorSpec answer_tensor() {
  TensorSpec answer{"answer", Role::output, PAWL_U8, {ANSWER_BYTES}, {}, {}, ANSWER_BYTES, ANSWER_BYTES};
  return answer;
}

Scalar scalar(const std::string &name, double value) { return {name, PAWL_F64, value, 0}; }

}  // namespace

Checker::Checker(PythonFunction &function, const Fields &code, double limit_ms)
    : function_(function),
      limited_(limit_ms > 0),
      until_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(
                                limit_ms - std::min(500.0, limit_ms / 10)))) {
  if (function.is_library()) {
    name_ = code.text("name");
  } else {
    const std::string module = code.text("module");
    name_ = module.substr(module.rfind('/') + 1) + ":" + code.text("function");
  }
  if (code.has("outputs"))
    for (const Json &output : code.array("outputs")) outputs_.push_back(output.string());
}

void Checker::mark(Problem &problem) const {
  for (const std::string &output : outputs_)
    if (std::none_of(problem.tensors.begin(), problem.tensors.end(),
                     [&](const TensorSpec &tensor) { return tensor.name == output && tensor.is_written(); }))
      bad_request("the checker judges '" + output + "', which is not an output of this case");
  for (TensorSpec &tensor : problem.tensors)
    if (tensor.is_compared() &&
        (outputs_.empty() || std::find(outputs_.begin(), outputs_.end(), tensor.name) != outputs_.end()))
      tensor.judged = Judged::by_checker;
}

Checker::Opinion Checker::judge(Device &device, const Problem &problem, const KeptTensors &inputs,
                                const ShownTensors &outputs, const RuleSet &rules) const {
  Problem asked;
  asked.dims = problem.dims;
  asked.scalars = problem.scalars;
  asked.scalars.push_back(scalar("atol", rules.general.atol));
  asked.scalars.push_back(scalar("rtol", rules.general.rtol));
  std::vector<Given> given;
  const auto add = [&](const TensorSpec &tensor, const std::string &name, const KeptTensor &values) {
    TensorSpec shown = widened(tensor);
    shown.name = name;
    shown.role = Role::input;
    asked.tensors.push_back(std::move(shown));
    given.push_back({&values, tensor.dtype});
  };
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    const TensorSpec &tensor = problem.tensors[t];
    add(tensor, tensor.name, tensor.is_written() ? *outputs[t] : inputs[t]);
    if (tensor.role == Role::inout) add(tensor, tensor.name + "_before", inputs[t]);
    if (tensor.judged != Judged::by_checker) continue;
    asked.scalars.push_back(scalar(tensor.name + "_atol", rules.of(tensor.name).atol));
    asked.scalars.push_back(scalar(tensor.name + "_rtol", rules.of(tensor.name).rtol));
  }
  asked.tensors.push_back(answer_tensor());
  given.emplace_back();
  // What it imports has a limit of its own.
  function_.load(device, CHECKER_FAILED);
  std::optional<Deadline> deadline;
  if (limited_)
    deadline.emplace(HANGS, std::max(1.0, std::chrono::duration<double, std::milli>(until_ - Clock::now()).count()));
  const KeptTensors answered = function_.call(device, asked, given, CHECKER_FAILED);
  std::vector<unsigned char> answer(answered.back().bytes());
  device.copy_to_host(answer.data(), answered.back().data(), answer.size());
  if (function_.is_library() && answer[0] != 1 && answer[0] != WRONG)
    throw RunnerError(CHECKER_FAILED, "pawl_check of " + name_ +
                                          " gave no verdict: it returns pawl_right(call), or pawl_wrong(call, \"…\")");
  const auto end = std::find(answer.begin() + 1, answer.end(), 0);
  return {answer[0] == 1, std::string(answer.begin() + 1, end)};
}

}  // namespace pawl
