#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "blind_answers.hpp"
#include "compare.hpp"
#include "device.hpp"
#include "draw_test.hpp"
#include "json.hpp"
#include "judges.hpp"
#include "prepared_case.hpp"
#include "tamper.hpp"

namespace pawl {

struct Judgement {
  bool passed = true;
  /** `verifiedTensorSchema` in src/model/correctness/verification.ts, for each output that is compared. */
  Json tensors;
  /** `checkedSchema` there: what the checker says, where there is one. */
  std::optional<Json> checked;
  /** `sampledSchema` there, for each output whose elements are draws. */
  Json sampled;
  /** `wrong-result` and `precision-lowered`. */
  std::vector<Tamper> tampering;
  /** Time in the oracle, which is not asked again for the inputs of the judgement before, and in the checker. */
  double oracle_ms = 0;
};

/** Whether the rules of a verifier see. */
struct Blindness {
  /** `blindSchema` in src/model/correctness/verification.ts, for each answer that needs no work and passes. */
  Json answers;
  /** What could not be tried, or not told from the right answer. */
  std::vector<std::string> notes;
  double oracle_ms = 0;
};

/** What a call wrote, by tensor index; empty for inputs. */
KeptTensors take_outputs(const PreparedCase &prepared, std::size_t set);

/** Compares outputs with the oracle, and asks the checker, on inputs that were taken before the kernel could change them. */
class Verifier {
 public:
  using Outputs = KeptTensors;

  Verifier(Device &device, const PreparedCase &prepared, const Judges &judges, RuleSet rules);

  /** Copies the inputs, and the first values of inouts, as they are now. */
  void take_inputs(std::size_t set);
  Judgement judge(const Outputs &outputs);
  /** Whether elements of some output are draws, which one call says little about. */
  bool has_draws() const;
  /**
   * After a judgement: what many calls on the same inputs draw, so many draws of each output if there is time. `call`
   * makes one.
   */
  Judgement judge_draws(const std::function<Outputs()> &call, std::size_t draws);
  /**
   * Tries answers that need no work on the rules, after `outputs` were right: the outputs of `other` inputs among them,
   * and of half of these, unless the oracle is so slow that a check would take it too long.
   */
  Blindness find_blind_answers(const Outputs &outputs, KeptTensors other, const Outputs &other_outputs);
  /** The inputs that it took; it judges nothing any more. */
  KeptTensors let_go_of_inputs() { return std::move(inputs_); }
  /** What oracle and checker took when they were last asked. */
  double oracle_ms() const { return oracle_ms_; }

 private:
  Device &device_;
  const PreparedCase &prepared_;
  Judges judges_;
  RuleSet rules_;
  /** The case, with what judges each output. */
  Problem problem_;
  /** The same with probabilities in the place of draws. */
  Problem asked_;
  /** What is compared with `right_`: of outputs whose rows are counted, as many as there are. */
  Problem compared_;
  /** Of the last `judge_draws`, by tensor index. */
  std::map<std::size_t, DrawTest> tests_;
  KeptTensors inputs_;
  /** Of `inputs_`, once somebody asked. */
  std::optional<OracleResults> right_;
  double oracle_ms_ = 0;

  std::optional<ReferenceError> reference_error(std::size_t tensor) const;
  void leave_out_uncounted();
  void add_draws(const DrawTest &test, const TensorSpec &tensor, Judgement &judgement) const;
  void find_blind_tests(const KeptTensors *other, Blindness &found) const;
  void compare_with_oracle(const Outputs &outputs, Judgement &judgement);
  void ask_checker(const Outputs &outputs, Judgement &judgement);
  void find_blind_rules(KeptTensors other, Blindness &found);
};

}  // namespace pawl
