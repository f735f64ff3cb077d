#pragma once

#include <map>

#include "python_function.hpp"

namespace pawl {

/**
 * Makes the inputs and inouts of a case from a seed, all of them together: indices that fit other inputs, matrices with
 * structure. Whole contents take the place of single new elements then, which would break what they have in common.
 */
class InputGenerator {
 public:
  /** Of one case. `limit_ms`: when the orchestrator would give the request up that contents are made in; 0 for never. */
  InputGenerator(PythonFunction &function, double limit_ms);

  /** Contents of a seed, by tensor index; empty for outputs. What was made last is kept. */
  const KeptTensors &make(Device &device, const Problem &problem, std::uint64_t seed);
  /** Contents that are too large to be kept are forgotten: they are in place by now. */
  void leave_out_large();
  /** Of how many different contents sets should have one, by what the first one took. */
  std::size_t worth_making() const { return worth_making_; }
  /** Whether there is time to make another one that no other purpose needs. */
  bool may_make_more() const { return spent_ms_ < limit_ms_ / 4; }

 private:
  PythonFunction &function_;
  double limit_ms_;
  double spent_ms_ = 0;
  std::size_t worth_making_ = 0;
  std::size_t kept_bytes_ = 0;
  std::size_t most_kept_bytes_ = 0;
  std::map<std::uint64_t, KeptTensors> kept_;
};

}  // namespace pawl
