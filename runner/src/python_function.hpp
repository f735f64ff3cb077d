#pragma once

#include <memory>

#include "candidate.hpp"
#include "cpu/shared_memory.hpp"
#include "fields.hpp"
#include "oracle.hpp"

namespace pawl {

/**
 * A Python function that serves the judge: an oracle, a reference, or what makes inputs. It has a process of its own,
 * which neither the judge nor the kernel share, and gets its tensors on the device or, with `framework = "numpy"`, on
 * the host.
 */
class PythonFunction {
 public:
  /** `start`: how a process for Python is started; `code`: what it loads. */
  PythonFunction(CandidateStart start, Device &device, Json code);
  PythonFunction(const PythonFunction &) = delete;
  PythonFunction &operator=(const PythonFunction &) = delete;

  /** Imports it, which `call` does by itself. */
  void load(Device &device, const char *failed);
  /** The bytes of the outputs, by tensor index. Whatever goes wrong is an error of `failed`, not the kernel's. */
  TensorBytes call(Device &device, const Problem &problem, const TensorBytes &inputs, const char *failed);

  /** What a process loads that calls this function in this role. */
  static Json code(const Fields &code, const std::string &function, const char *role);

 private:
  CandidateStart start_;
  bool on_host_;
  SharedMemory host_;
  std::unique_ptr<Candidate> process_;

  Candidate &process(Device &device);
  TensorBytes run(Device &device, const Problem &problem, const TensorBytes &inputs);
};

}  // namespace pawl
