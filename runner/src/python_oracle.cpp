#include "python_oracle.hpp"

#include <cstring>

#include "device.hpp"
#include "error.hpp"
#include "plain_arithmetic.hpp"

namespace pawl {
namespace {

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

/** Whatever went wrong there is the oracle's failure, not the kernel's. */
template <typename Act>
auto as_oracle(Act act) {
  try {
    return act();
  } catch (const RunnerError &error) {
    if (error.code() == "module-missing" || error.code() == "unsupported" || error.code() == "out-of-memory") throw;
    throw RunnerError("load-failed", error.what());
  }
}

}  // namespace

PythonOracle::PythonOracle(CandidateStart start, Device &device, const Fields &code)
    : start_(std::move(start)), reference_(code.text_or("reference", "")), on_host_(device.stream() == nullptr) {
  const std::string module = code.text("module"), function = code.text("function");
  name_ = module.substr(module.rfind('/') + 1) + ":" + function;
  start_.cpus.clear();
  start_.code = Json::object().set("module", module).set("function", function).set("role", "oracle");
}

Candidate &PythonOracle::process(std::unique_ptr<Candidate> &slot, Device &device, const std::string &function) const {
  while (slot == nullptr) {
    CandidateStart start = start_;
    start.cuda = !on_host_;
    if (!function.empty()) start.code.set("function", function);
    if (!on_host_) start.code.set("device_index", start.device_index);
    const Sharing &sharing = on_host_ ? static_cast<const Sharing &>(host_) : device;
    auto started = std::make_unique<Candidate>(sharing, start);
    const Json told = as_oracle([&] { return started->load(); });
    const Json *framework = told.find("framework");
    // Only now it is known that it wants its tensors on the host.
    if (!on_host_ && framework != nullptr && framework->kind() == Json::Kind::string && framework->string() == "numpy")
      on_host_ = true;
    else
      slot = std::move(started);
  }
  return *slot;
}

TensorBytes PythonOracle::call(Candidate &candidate, Device &device, const Problem &problem,
                               const TensorBytes &inputs) const {
  auto &host = const_cast<SharedMemory &>(host_);
  std::vector<void *> memory;
  const auto release = [&] {
    for (void *data : memory)
      if (!host.release(data)) device.release(data);
  };
  try {
    for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
      const TensorSpec &tensor = problem.tensors[t];
      memory.push_back(on_host_ ? host.allocate(tensor.bytes) : device.allocate(tensor.bytes));
      std::vector<unsigned char> blank;
      if (inputs[t].empty()) blank.assign(tensor.bytes, is_floating(tensor.dtype) ? 0xFF : 0);
      const std::vector<unsigned char> &bytes = inputs[t].empty() ? blank : inputs[t];
      if (on_host_)
        std::memcpy(memory[t], bytes.data(), tensor.bytes);
      else
        device.copy_from_host(memory[t], bytes.data(), tensor.bytes);
    }
    if (!on_host_) device.wait();
    as_oracle([&] {
      candidate.prepare(problem, Json::object(), 0, {std::vector<const void *>(memory.begin(), memory.end())});
      return candidate.call(0);
    });
    TensorBytes outputs(problem.tensors.size());
    for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
      if (!problem.tensors[t].is_written()) continue;
      outputs[t].resize(problem.tensors[t].bytes);
      if (on_host_)
        std::memcpy(outputs[t].data(), memory[t], outputs[t].size());
      else
        device.copy_to_host(outputs[t].data(), memory[t], outputs[t].size());
    }
    candidate.forget();
    release();
    return outputs;
  } catch (...) {
    // It may hold the memory still: another process takes its place.
    (&candidate == compute_.get() ? compute_ : refer_).reset();
    release();
    throw;
  }
}

OracleResults PythonOracle::run(Device &device, const Problem &problem, const TensorBytes &inputs,
                                bool with_reference) const {
  const PlainArithmetic plain;
  const Problem wide = widened(problem);
  TensorBytes wide_inputs(inputs.size());
  for (std::size_t t = 0; t < inputs.size(); ++t) {
    if (inputs[t].empty()) continue;
    wide_inputs[t].resize(wide.tensors[t].bytes);
    for (std::size_t i = 0; i < wide.tensors[t].elements; ++i)
      widen_element(wide_inputs[t].data(), wide.tensors[t].dtype, inputs[t].data(), problem.tensors[t].dtype, i);
  }
  const TensorBytes outputs = call(process(compute_, device, ""), device, wide, wide_inputs);
  OracleResults results{std::vector<WideValues>(problem.tensors.size()), {}};
  for (std::size_t t = 0; t < outputs.size(); ++t)
    if (!outputs[t].empty())
      results.wanted[t] = widen_values(outputs[t].data(), wide.tensors[t].dtype, wide.tensors[t].elements);
  if (with_reference) results.reference = call(process(refer_, device, reference_), device, problem, inputs);
  return results;
}

}  // namespace pawl
