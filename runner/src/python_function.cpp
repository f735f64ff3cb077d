#include "python_function.hpp"

#include <cstring>

#include "device.hpp"
#include "error.hpp"

namespace pawl {
namespace {

template <typename Act>
void blamed(const char *failed, Act act) {
  try {
    act();
  } catch (const RunnerError &error) {
    if (error.code() == "module-missing" || error.code() == "unsupported" || error.code() == "out-of-memory") throw;
    throw RunnerError(failed, error.what());
  }
}

}  // namespace

PythonFunction::PythonFunction(CandidateStart start, Device &device, Json code)
    : start_(std::move(start)), on_host_(device.stream() == nullptr) {
  start_.cpus.clear();
  start_.code = std::move(code);
}

Json PythonFunction::code(const Fields &code, const std::string &function, const char *role) {
  Json loaded = Json::object().set("module", code.text("module")).set("function", function).set("role", role);
  for (const char *part : {"init", "weights"})
    if (const Json *given = code.find(part)) loaded.set(part, *given);
  return loaded;
}

Candidate &PythonFunction::process(Device &device) {
  while (process_ == nullptr) {
    CandidateStart start = start_;
    start.cuda = !on_host_;
    if (!on_host_) start.code.set("device_index", start.device_index);
    const Sharing &sharing = on_host_ ? static_cast<const Sharing &>(host_) : device;
    auto started = std::make_unique<Candidate>(sharing, start);
    const Json told = started->load();
    const Json *framework = told.find("framework");
    // Only now it is known that it wants its tensors on the host.
    if (!on_host_ && framework != nullptr && framework->kind() == Json::Kind::string && framework->string() == "numpy")
      on_host_ = true;
    else
      process_ = std::move(started);
  }
  return *process_;
}

TensorBytes PythonFunction::run(Device &device, const Problem &problem, const TensorBytes &inputs) {
  Candidate &candidate = process(device);
  std::vector<void *> memory;
  const auto release = [&] {
    for (void *data : memory)
      if (!host_.release(data)) device.release(data);
  };
  try {
    for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
      const TensorSpec &tensor = problem.tensors[t];
      memory.push_back(on_host_ ? host_.allocate(tensor.bytes) : device.allocate(tensor.bytes));
      std::vector<unsigned char> blank;
      if (inputs[t].empty()) blank.assign(tensor.bytes, is_floating(tensor.dtype) ? 0xFF : 0);
      const std::vector<unsigned char> &bytes = inputs[t].empty() ? blank : inputs[t];
      if (on_host_)
        std::memcpy(memory[t], bytes.data(), tensor.bytes);
      else
        device.copy_from_host(memory[t], bytes.data(), tensor.bytes);
    }
    if (!on_host_) device.wait();
    candidate.prepare(problem, Json::object(), 0, {std::vector<const void *>(memory.begin(), memory.end())});
    candidate.call(0);
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
    process_.reset();
    release();
    throw;
  }
}

void PythonFunction::load(Device &device, const char *failed) {
  blamed(failed, [&] { process(device); });
}

TensorBytes PythonFunction::call(Device &device, const Problem &problem, const TensorBytes &inputs,
                                 const char *failed) {
  TensorBytes outputs;
  blamed(failed, [&] { outputs = run(device, problem, inputs); });
  return outputs;
}

}  // namespace pawl
