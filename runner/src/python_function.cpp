#include "python_function.hpp"

#include <cstring>

#include "device.hpp"
#include "error.hpp"

namespace pawl {
namespace {

/** Memory on the host that is given back whatever happens. */
class HostTensors {
 public:
  explicit HostTensors(SharedMemory &host) : host_(host) {}
  ~HostTensors() {
    for (const void *data : all_) host_.release(const_cast<void *>(data));
  }
  HostTensors(const HostTensors &) = delete;
  HostTensors &operator=(const HostTensors &) = delete;
  void *add(std::size_t bytes) {
    void *data = host_.allocate(bytes);
    all_.push_back(data);
    return data;
  }
  const std::vector<const void *> &all() const { return all_; }

 private:
  SharedMemory &host_;
  std::vector<const void *> all_;
};

/** Whose process it was that ended: none of a kernel's. */
std::string about(const std::string &failed, std::string message) {
  const std::string kernels = "the kernel's process";
  const char *own = failed == "generator-failed" ? "the generator" : failed == "checker-failed" ? "the checker" : "the oracle";
  if (message.rfind(kernels, 0) == 0) message.replace(0, kernels.size(), std::string(own) + "'s process");
  return message;
}

template <typename Act>
void blamed(const char *failed, Act act) {
  try {
    act();
  } catch (const RunnerError &error) {
    if (error.code() == "module-missing" || error.code() == "unsupported" || error.code() == "out-of-memory") throw;
    throw RunnerError(failed, about(failed, error.what()));
  }
}

}  // namespace

PythonFunction::PythonFunction(CandidateStart start, Device &device, Json code)
    : PythonFunction(std::move(start), device.stream() != nullptr) {
  start_.code = std::move(code);
}

PythonFunction::PythonFunction(CandidateStart start, bool on_gpu) : start_(std::move(start)), on_gpu_(on_gpu) {
  start_.cpus.clear();
}

Json PythonFunction::code(const Fields &code, const std::string &function, const char *role) {
  Json loaded = Json::object().set("module", code.text("module")).set("function", function).set("role", role);
  for (const char *part : {"init", "weights", "prepare"})
    if (const Json *given = code.find(part)) loaded.set(part, *given);
  return loaded;
}

Candidate &PythonFunction::process(Device &device) {
  while (process_ == nullptr) {
    CandidateStart start = start_;
    start.cuda = on_gpu_;
    if (on_gpu_) start.code.set("device_index", start.device_index);
    const Sharing &sharing = beside(device) ? static_cast<const Sharing &>(host_) : device;
    auto started = std::make_unique<Candidate>(sharing, start);
    const Json told = started->load();
    const Json *framework = told.find("framework");
    // Only now it is known that it wants its tensors on the host.
    if (on_gpu_ && framework != nullptr && framework->kind() == Json::Kind::string && framework->string() == "numpy")
      on_gpu_ = false;
    else
      process_ = std::move(started);
  }
  return *process_;
}

KeptTensors PythonFunction::run(Device &device, const Problem &problem, const std::vector<Given> &given) {
  Candidate &candidate = process(device);
  if (beside(device)) return run_on_host(device, problem, given);
  KeptTensors tensors;
  std::vector<const void *> memory;
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    const TensorSpec &tensor = problem.tensors[t];
    tensors.emplace_back(device, tensor.bytes, DeviceMemory::For::function);
    memory.push_back(tensors[t].data());
    if (given[t].tensor == nullptr)
      device.set_bytes(tensors[t].data(), blank(tensor), tensor.bytes);
    else if (given[t].dtype == tensor.dtype)
      device.copy(tensors[t].data(), given[t].tensor->data(), tensor.bytes);
    else
      device.widen(tensors[t].data(), tensor.dtype, given[t].tensor->data(), given[t].dtype, tensor.elements);
  }
  device.wait();
  candidate.prepare(problem, Json::object(), 0, {memory});
  candidate.call(0);
  candidate.forget();
  for (std::size_t t = 0; t < problem.tensors.size(); ++t)
    if (!problem.tensors[t].is_written()) tensors[t] = KeptTensor();
  return tensors;
}

KeptTensors PythonFunction::run_on_host(Device &device, const Problem &problem, const std::vector<Given> &given) {
  Candidate &candidate = process(device);
  HostTensors memory(host_);
  KeptTensors outputs(problem.tensors.size());
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    const TensorSpec &tensor = problem.tensors[t];
    void *data = memory.add(tensor.bytes);
    if (given[t].tensor == nullptr) {
      std::memset(data, blank(tensor), tensor.bytes);
      continue;
    }
    if (given[t].dtype == tensor.dtype) {
      device.copy_to_host(data, given[t].tensor->data(), tensor.bytes);
      continue;
    }
    const KeptTensor wide(device, tensor.bytes);
    device.widen(wide.data(), tensor.dtype, given[t].tensor->data(), given[t].dtype, tensor.elements);
    device.copy_to_host(data, wide.data(), tensor.bytes);
  }
  candidate.prepare(problem, Json::object(), 0, {memory.all()});
  candidate.call(0);
  candidate.forget();
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    if (!problem.tensors[t].is_written()) continue;
    outputs[t] = KeptTensor(device, problem.tensors[t].bytes);
    device.copy_from_host(outputs[t].data(), memory.all()[t], outputs[t].bytes());
  }
  // Before the memory goes that is copied from.
  device.wait();
  return outputs;
}

void PythonFunction::load(Device &device, const char *failed) {
  blamed(failed, [&] { process(device); });
}

KeptTensors PythonFunction::call(Device &device, const Problem &problem, const std::vector<Given> &given,
                                 const char *failed) {
  KeptTensors outputs;
  blamed(failed, [&] {
    try {
      outputs = run(device, problem, given);
    } catch (...) {
      // It may hold the memory still: another process takes its place.
      process_.reset();
      throw;
    }
  });
  return outputs;
}

}  // namespace pawl
