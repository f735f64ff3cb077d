#include "python_oracle.hpp"

namespace pawl {
namespace {

/** What goes wrong there is the oracle's failure: the kernel was loaded before. */
constexpr const char *FAILED = "load-failed";

/** Frameworks select by booleans, and not by integers. */
pawl_dtype widest_in_python(pawl_dtype dtype) { return dtype == PAWL_BOOL ? PAWL_BOOL : widest(dtype); }

Problem widened(const Problem &problem) {
  Problem wide = problem;
  for (TensorSpec &tensor : wide.tensors) {
    tensor.dtype = widest_in_python(tensor.dtype);
    tensor.bytes = tensor.elements * dtype_bytes(tensor.dtype);
  }
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

OracleResults PythonOracle::run(Device &device, const Problem &problem, const KeptTensors &inputs,
                                bool with_reference) const {
  const Problem wide = widened(problem);
  OracleResults results{oracle_->call(device, wide, inputs, problem, FAILED), {}};
  for (std::size_t t = 0; t < results.wanted.size(); ++t) {
    const TensorSpec &made = wide.tensors[t];
    if (results.wanted[t].empty() || made.dtype != PAWL_BOOL) continue;
    KeptTensor wanted(device, made.elements * dtype_bytes(widest(made.dtype)));
    device.widen(wanted.data(), widest(made.dtype), results.wanted[t].data(), made.dtype, made.elements);
    results.wanted[t] = std::move(wanted);
  }
  if (with_reference) results.reference = reference_->call(device, problem, inputs, problem, FAILED);
  return results;
}

}  // namespace pawl
