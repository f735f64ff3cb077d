#pragma once

#include <string>

#include "problem.hpp"
#include "wide_values.hpp"

namespace pawl {

class Device;

/** Bytes of tensors on the host, by tensor index; empty where there is none. */
using TensorBytes = std::vector<std::vector<unsigned char>>;

/** What is right, and what a trusted implementation makes of it, by tensor index; empty for inputs. */
struct OracleResults {
  std::vector<WideValues> wanted;
  /** In the tensors' own types; empty where the oracle has no reference or none was asked for. */
  TensorBytes reference;
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
  /** On inputs that are on the host. Throws `load-failed` when it fails. */
  virtual OracleResults run(Device &device, const Problem &problem, const TensorBytes &inputs,
                            bool with_reference) const = 0;
};

}  // namespace pawl
