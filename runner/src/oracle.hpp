#pragma once

#include <string>

#include "kept_tensor.hpp"
#include "problem.hpp"

namespace pawl {

/** What is right, and what a trusted implementation makes of it, by tensor index; empty for inputs. */
struct OracleResults {
  /** Without any rounding: f64 for floating point, i64 for integers (of u64, the bits). */
  KeptTensors wanted;
  /** In the tensors' own types; empty where the oracle has no reference or none was asked for. */
  KeptTensors reference;
};

/** What knows the right results. It never shares a process with what it judges. */
class Oracle {
 public:
  enum class Memory { host, device };

  virtual ~Oracle() = default;
  /** For sentences. */
  virtual std::string name() const = 0;
  virtual bool has_reference() const = 0;
  /** Loads it, where that takes long; `run` does so by itself. */
  virtual void load(Device &) const {}
  /** Throws `load-failed` when it fails. */
  virtual OracleResults run(Device &device, const Problem &problem, const KeptTensors &inputs,
                            bool with_reference) const = 0;
};

}  // namespace pawl
