#include "python_oracle.hpp"

#include "plain_arithmetic.hpp"
#include "wide_problem.hpp"

namespace pawl {
namespace {

/** What goes wrong there is the oracle's failure: the kernel was loaded before. */
constexpr const char *FAILED = "load-failed";

Problem widened(const Problem &problem) {
  Problem wide = problem;
  for (TensorSpec &tensor : wide.tensors) tensor = widened(tensor);
  return wide;
}

}  // namespace

PythonOracle::PythonOracle(const CandidateStart &start, Device &device, const Fields &code) {
  const std::string module = code.text("module"), function = code.text("function");
  name_ = module.substr(module.rfind('/') + 1) + ":" + function;
  const auto serving = [&](const std::string &name) {
    return std::make_unique<PythonFunction>(start, device, PythonFunction::code(code, name, "oracle"));
  };
  oracle_ = serving(function);
  if (const std::string reference = code.text_or("reference", ""); !reference.empty()) reference_ = serving(reference);
}

void PythonOracle::load(Device &device) const {
  oracle_->load(device, FAILED);
  if (reference_ != nullptr) reference_->load(device, FAILED);
}

OracleResults PythonOracle::run(Device &device, const Problem &problem, const TensorBytes &inputs,
                                bool with_reference) const {
  const PlainArithmetic plain;
  const Problem wide = widened(problem);
  TensorBytes wide_inputs(inputs.size());
  for (std::size_t t = 0; t < inputs.size(); ++t)
    if (!inputs[t].empty()) wide_inputs[t] = widened_bytes(problem.tensors[t], inputs[t]);
  const TensorBytes outputs = oracle_->call(device, wide, wide_inputs, FAILED);
  OracleResults results{std::vector<WideValues>(problem.tensors.size()), {}};
  for (std::size_t t = 0; t < outputs.size(); ++t)
    if (!outputs[t].empty())
      results.wanted[t] = widen_values(outputs[t].data(), wide.tensors[t].dtype, wide.tensors[t].elements);
  if (with_reference) results.reference = reference_->call(device, problem, inputs, FAILED);
  return results;
}

}  // namespace pawl
