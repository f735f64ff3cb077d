#pragma once

#include <memory>

#include "candidate.hpp"
#include "cpu/shared_memory.hpp"
#include "fields.hpp"
#include "oracle.hpp"

namespace pawl {

/**
 * An oracle that is a Python function, in a process of its own: neither the judge nor the kernel share it. It gets
 * 64-bit tensors, on the kernel's device or, with `framework = "numpy"`, on the host; its reference, another function
 * of the same module, gets the tensors' own types.
 */
class PythonOracle final : public Oracle {
 public:
  /** `start`: how a process for Python is started. */
  PythonOracle(CandidateStart start, Device &device, const Fields &code);

  std::string name() const override { return name_; }
  bool has_reference() const override { return !reference_.empty(); }
  void load(Device &device) const override;
  OracleResults run(Device &device, const Problem &problem, const TensorBytes &inputs,
                    bool with_reference) const override;

 private:
  CandidateStart start_;
  std::string name_;
  std::string reference_;
  SharedMemory host_;
  mutable std::unique_ptr<Candidate> compute_;
  mutable std::unique_ptr<Candidate> refer_;
  mutable bool on_host_;

  Candidate &process(std::unique_ptr<Candidate> &slot, Device &device, const std::string &function) const;
  /** The bytes of the outputs, which are of the types of `problem`. */
  TensorBytes call(Candidate &candidate, Device &device, const Problem &problem, const TensorBytes &inputs) const;
};

}  // namespace pawl
