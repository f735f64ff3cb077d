#pragma once

#include "python_function.hpp"

namespace pawl {

/**
 * An oracle that is a Python function. It gets 64-bit tensors; its reference, another function of the same module with
 * a process of its own, gets the tensors' own types.
 */
class PythonOracle final : public Oracle {
 public:
  /** `start`: how a process for Python is started. */
  PythonOracle(const CandidateStart &start, Device &device, const Fields &code);

  std::string name() const override { return name_; }
  bool has_reference() const override { return reference_ != nullptr; }
  void load(Device &device) const override;
  OracleResults run(Device &device, const Problem &problem, const KeptTensors &inputs,
                    bool with_reference) const override;

 private:
  std::string name_;
  bool in_own_precision_ = false;
  std::unique_ptr<PythonFunction> oracle_;
  std::unique_ptr<PythonFunction> reference_;
};

}  // namespace pawl
