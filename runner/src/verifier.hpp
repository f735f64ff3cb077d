#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "compare.hpp"
#include "device.hpp"
#include "json.hpp"
#include "oracle.hpp"
#include "prepared_case.hpp"
#include "tamper.hpp"

namespace pawl {

struct Judgement {
  bool passed = true;
  /** `tensorCheckSchema` in src/model/check.ts, for each output. */
  Json tensors;
  /** `wrong-result` and `precision-lowered`. */
  std::vector<Tamper> tampering;
  /** Time in the oracle; 0 where the inputs are those of the judgement before. */
  double oracle_ms = 0;
};

/** Compares outputs with the oracle on inputs that were taken before the kernel could change them. */
class Verifier {
 public:
  using Outputs = TensorBytes;

  Verifier(Device &device, const PreparedCase &prepared, const Oracle &oracle, Rules rules);

  /** Copies the inputs, and the first values of inouts, as they are now. */
  void take_inputs(std::size_t set);
  /** By tensor index; empty for inputs. */
  Outputs take_outputs(std::size_t set) const;
  Judgement judge(const Outputs &outputs);

 private:
  Device &device_;
  const PreparedCase &prepared_;
  const Oracle &oracle_;
  Rules rules_;
  TensorBytes inputs_;
  /** Of `inputs_`, once somebody asked. */
  std::optional<OracleResults> right_;

  std::vector<unsigned char> copy(std::size_t set, std::size_t tensor) const;
  std::optional<ReferenceError> reference_error(std::size_t tensor) const;
};

}  // namespace pawl
