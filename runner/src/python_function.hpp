#pragma once

#include <memory>

#include "candidate.hpp"
#include "cpu/shared_memory.hpp"
#include "fields.hpp"
#include "oracle.hpp"

namespace pawl {

/** A tensor that a function gets, in the type that it has here; none for an output. */
struct Given {
  const KeptTensor *tensor = nullptr;
  pawl_dtype dtype = PAWL_F64;
};

/**
 * A Python function that serves the judge: an oracle, a reference, or what makes inputs. It has a process of its own,
 * which neither the judge nor the kernel share, and gets its tensors on the device or, with `framework = "numpy"`, on
 * the host. `LibraryFunction` is the same of a library.
 */
class PythonFunction {
 public:
  /** `start`: how a process for Python is started; `code`: what it loads. */
  PythonFunction(CandidateStart start, Device &device, Json code);
  virtual ~PythonFunction() = default;
  PythonFunction(const PythonFunction &) = delete;
  PythonFunction &operator=(const PythonFunction &) = delete;

  /** Whether it is compiled: it writes to its tensors, and does not return them. */
  virtual bool is_library() const { return false; }
  /** Imports it, which `call` does by itself. */
  void load(Device &device, const char *failed);
  /**
   * The outputs, by tensor index. What is given is widened to the types of `problem`. Whatever goes wrong is an error
   * of `failed`, not the kernel's.
   */
  KeptTensors call(Device &device, const Problem &problem, const std::vector<Given> &given, const char *failed);

  /** What a process loads that calls this function in this role. */
  static Json code(const Fields &code, const std::string &function, const char *role);

 protected:
  /** `on_gpu`: where its tensors lie, if the device has memory of its own. */
  PythonFunction(CandidateStart start, bool on_gpu);

 private:
  CandidateStart start_;
  bool on_gpu_;
  /** For tensors on the host where the kernel's are on a GPU. */
  SharedMemory host_;
  std::unique_ptr<Candidate> process_;

  Candidate &process(Device &device);
  bool beside(Device &device) const { return !on_gpu_ && device.stream() != nullptr; }
  KeptTensors run(Device &device, const Problem &problem, const std::vector<Given> &given);
  KeptTensors run_on_host(Device &device, const Problem &problem, const std::vector<Given> &given);
  /** Before a call: NaN, or 0 for integers. */
  static unsigned char blank(const TensorSpec &output) { return is_floating(output.dtype) ? 0xFF : 0; }
};

}  // namespace pawl
