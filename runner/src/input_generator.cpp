#include "input_generator.hpp"

#include <algorithm>
#include <chrono>

#include "deadline.hpp"
#include "device.hpp"
#include "error.hpp"

namespace pawl {
namespace {

constexpr const char *GENERATOR_FAILED = "generator-failed";
constexpr double MOST_CONTENTS = 16;
/** Where the orchestrator names none. */
constexpr double USUAL_LIMIT_MS = 60000;

std::size_t contents_in(double all_ms, double each_ms) {
  return static_cast<std::size_t>(std::clamp(all_ms / std::max(each_ms, 1e-3), 1.0, MOST_CONTENTS));
}

/** The same in 64 bits, for libraries: a generator need not know of every type. */
Problem in_wide_types(Problem asked) {
  for (TensorSpec &tensor : asked.tensors) {
    tensor.dtype = widest(tensor.dtype);
    tensor.bytes = tensor.elements * dtype_bytes(tensor.dtype);
  }
  return asked;
}

/** What a library wrote, rounded to the tensors' own types. Elements of floating ones that it left out are seen. */
KeptTensors rounded(Device &device, const Problem &asked, const KeptTensors &wide) {
  KeptTensors made(wide.size());
  for (std::size_t t = 0; t < wide.size(); ++t) {
    const TensorSpec &tensor = asked.tensors[t];
    const std::size_t left =
        is_floating(tensor.dtype) ? device.count_poisoned({{wide[t].data(), 8, tensor.numbers()}}) : 0;
    if (left > 0)
      throw RunnerError(GENERATOR_FAILED, "pawl_generate left " + std::to_string(left) + " of " +
                                              std::to_string(tensor.numbers()) + " numbers of '" + tensor.name +
                                              "' unwritten");
    made[t] = KeptTensor(device, tensor.bytes);
    device.write({made[t].data(), tensor.dtype, tensor.elements}, {Answer::Of::wide, 1, wide[t].data()});
  }
  return made;
}

/** The problem whose answer is the inputs of this one. */
Problem asking_for_inputs(const Problem &problem, std::uint64_t seed) {
  Problem asked;
  asked.dims = problem.dims;
  asked.scalars = problem.scalars;
  // As many bits as every library takes for a seed.
  asked.dims.push_back({"seed", static_cast<std::int64_t>(mix(seed) >> 33)});
  for (const TensorSpec &tensor : problem.tensors) {
    if (tensor.is_pure_output()) continue;
    asked.tensors.push_back(tensor);
    asked.tensors.back().role = Role::output;
    asked.tensors.back().view.reset();
    asked.bytes += tensor.bytes;
  }
  return asked;
}

}  // namespace

InputGenerator::InputGenerator(PythonFunction &function, double limit_ms)
    : function_(function), limit_ms_(limit_ms > 0 ? limit_ms : USUAL_LIMIT_MS) {}

const KeptTensors &InputGenerator::make(Device &device, const Problem &problem, std::uint64_t seed) {
  const auto known = kept_.find(seed);
  if (known != kept_.end()) return known->second;
  const Problem asked = asking_for_inputs(problem, seed);
  // What it imports takes its time once, and says nothing of what contents take.
  function_.load(device, GENERATOR_FAILED);
  const auto started = std::chrono::steady_clock::now();
  KeptTensors made;
  {
    const Deadline deadline(SIGXCPU, 0.8 * limit_ms_);
    const std::vector<Given> nothing(asked.tensors.size());
    made = function_.is_library()
               ? rounded(device, asked, function_.call(device, in_wide_types(asked), nothing, GENERATOR_FAILED))
               : function_.call(device, asked, nothing, GENERATOR_FAILED);
  }
  const double took_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
  spent_ms_ += took_ms;
  if (worth_making_ == 0) {
    most_kept_bytes_ = device.spare_bytes();
    // Those of a set and those for keys are both kept, or each would be made again for the other.
    const std::size_t fitting = most_kept_bytes_ / 2 / std::max<std::size_t>(asked.bytes, 1);
    worth_making_ = std::max<std::size_t>(1, std::min(contents_in(limit_ms_ / 8, took_ms), fitting));
  }
  KeptTensors by_tensor(problem.tensors.size());
  for (std::size_t t = 0, at = 0; t < problem.tensors.size(); ++t)
    if (!problem.tensors[t].is_pure_output()) by_tensor[t] = std::move(made[at++]);
  if (kept_bytes_ + asked.bytes > most_kept_bytes_) {
    kept_.clear();
    kept_bytes_ = 0;
  }
  kept_bytes_ += asked.bytes;
  return kept_.emplace(seed, std::move(by_tensor)).first->second;
}

void InputGenerator::leave_out_large() {
  if (kept_bytes_ <= most_kept_bytes_) return;
  kept_.clear();
  kept_bytes_ = 0;
}

}  // namespace pawl
