#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "blind_answers.hpp"
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

/** Whether the rules of a verifier see. */
struct Blindness {
  /** `blindSchema` in src/model/check.ts, for each answer that needs no work and passes. */
  Json answers;
  /** What could not be tried, or not told from the right answer. */
  std::vector<std::string> notes;
  double oracle_ms = 0;
};

/** What a call wrote, by tensor index; empty for inputs. */
KeptTensors take_outputs(Device &device, const PreparedCase &prepared, std::size_t set);

/** Compares outputs with the oracle on inputs that were taken before the kernel could change them. */
class Verifier {
 public:
  using Outputs = KeptTensors;

  Verifier(Device &device, const PreparedCase &prepared, const Oracle &oracle, RuleSet rules);

  /** Copies the inputs, and the first values of inouts, as they are now. */
  void take_inputs(std::size_t set);
  Judgement judge(const Outputs &outputs);
  /**
   * Tries answers that need no work on the rules, after a judgement: the outputs of `other` inputs among them, and of
   * half of these, unless the oracle is so slow that a check would take it too long.
   */
  Blindness find_blind_answers(const KeptTensors &other);
  const KeptTensors &inputs() const { return inputs_; }
  /** What the oracle took when it was last asked. */
  double oracle_ms() const { return oracle_ms_; }

 private:
  Device &device_;
  const PreparedCase &prepared_;
  const Oracle &oracle_;
  RuleSet rules_;
  KeptTensors inputs_;
  /** Of `inputs_`, once somebody asked. */
  std::optional<OracleResults> right_;
  /** How long that took. */
  double oracle_ms_ = 0;

  std::optional<ReferenceError> reference_error(std::size_t tensor) const;
};

}  // namespace pawl
