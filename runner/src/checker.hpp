#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "python_function.hpp"
#include "rules.hpp"

namespace pawl {

/**
 * A function that judges outputs by what they have to be, where many different ones are right: it has a process
 * of its own, as an oracle has, and gets copies. Whatever goes wrong there is its own failure (`checker-failed`).
 */
class Checker {
 public:
  struct Opinion {
    bool passed = true;
    /** What is wrong; may be empty. */
    std::string message;
  };

  /** Of one request, which the orchestrator gives up after `limit_ms`; 0 for never. */
  Checker(PythonFunction &function, const Fields &code, double limit_ms);

  /** For sentences. */
  const std::string &name() const { return name_; }
  /** Says in a problem which outputs it judges. */
  void mark(Problem &problem) const;
  /** `inputs` as they were before the call that wrote `outputs`, by tensor index. */
  Opinion judge(Device &device, const Problem &problem, const KeptTensors &inputs, const ShownTensors &outputs,
                const RuleSet &rules) const;

 private:
  using Clock = std::chrono::steady_clock;

  PythonFunction &function_;
  std::string name_;
  /** Empty: all. */
  std::vector<std::string> outputs_;
  bool limited_;
  Clock::time_point until_;
};

}  // namespace pawl
