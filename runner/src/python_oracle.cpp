#include "python_oracle.hpp"

#include "wide_problem.hpp"

namespace pawl {
namespace {

/** What goes wrong there is the oracle's failure: the kernel was loaded before. */
constexpr const char *ORACLE_FAILED = "load-failed";

Problem widened(const Problem &problem) {
  Problem wide = problem;
  for (TensorSpec &tensor : wide.tensors) tensor = widened(tensor);
  return wide;
}

std::vector<Given> given_inputs(const Problem &problem, const KeptTensors &inputs) {
  std::vector<Given> given(inputs.size());
  for (std::size_t t = 0; t < inputs.size(); ++t)
    if (!inputs[t].empty()) given[t] = {&inputs[t], problem.tensors[t].dtype};
  return given;
}

}  // namespace

PythonOracle::PythonOracle(const CandidateStart &start, Device &device, const Fields &code) {
  const std::string module = code.text("module"), function = code.text("function");
  name_ = module.substr(module.rfind('/') + 1) + ":" + function;
  in_own_precision_ = code.has("precision");
  const auto serving = [&](const std::string &name, const char *role) {
    return std::make_unique<PythonFunction>(start, device, PythonFunction::code(code, name, role));
  };
  oracle_ = serving(function, in_own_precision_ ? "reference" : "oracle");
  if (const std::string reference = code.text_or("reference", ""); !reference.empty())
    reference_ = serving(reference, "reference");
}

void PythonOracle::load(Device &device) const {
  oracle_->load(device, ORACLE_FAILED);
  if (reference_ != nullptr) reference_->load(device, ORACLE_FAILED);
}

OracleResults PythonOracle::run(Device &device, const Problem &problem, const KeptTensors &inputs,
                                bool with_reference) const {
  const Problem wide = in_own_precision_ ? problem : widened(problem);
  const std::vector<Given> given = given_inputs(problem, inputs);
  OracleResults results{oracle_->call(device, wide, given, ORACLE_FAILED), {}};
  for (std::size_t t = 0; t < results.wanted.size(); ++t) {
    const TensorSpec &made = wide.tensors[t];
    if (results.wanted[t].empty() || made.dtype == widest(made.dtype)) continue;
    KeptTensor wanted(device, made.elements * dtype_bytes(widest(made.dtype)));
    device.widen(wanted.data(), widest(made.dtype), results.wanted[t].data(), made.dtype, made.elements);
    // Before the memory goes that it is made from.
    device.wait();
    results.wanted[t] = std::move(wanted);
  }
  if (with_reference) results.reference = reference_->call(device, problem, given, ORACLE_FAILED);
  return results;
}

}  // namespace pawl
