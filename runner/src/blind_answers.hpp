#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compare.hpp"
#include "json.hpp"
#include "oracle.hpp"
#include "problem.hpp"

namespace pawl {

/** An answer that needs no work, for one output, and that the rules let pass. */
struct BlindAnswer {
  /** `zeros`, `poison`, `constant`, `input x`, `half of the sum`, `other inputs`, `half of the inputs`. */
  std::string answer;
  std::string tensor;
  /** How wrong the answer is. */
  double max_abs_err;
  /** Rules that do not let it pass, and that a kernel in this precision can keep; none: the reference is too far off. */
  std::optional<Rules> sees;
  /** They are for this output alone. */
  bool own;
};

/**
 * Tries answers that need no work on the rules that judge a kernel: rules that let one pass are blind, whatever the
 * kernel computes. An answer that is right to the last place is not evidence (a copy is right for a kernel that
 * copies), and one that is as near to the right answer as rounding is a note: the inputs are to blame. Where only the
 * errors of the reference itself hide the difference, the rules are blind, and no tolerance helps.
 */
class BlindAnswers {
 public:
  /** What a trusted implementation makes of the inputs, by tensor index; empty where there is none. */
  using Reference = std::function<const KeptTensors &()>;

  /**
   * `errors` of the reference by tensor index, as `compare` takes them; `reference` is asked when an answer passes.
   * What is passed must outlive this object.
   */
  BlindAnswers(Device &device, const Problem &problem, const KeptTensors &inputs, const KeptTensors &right,
               const RuleSet &rules, std::vector<std::optional<ReferenceError>> errors, Reference reference);

  /** Whatever can be written without an oracle: zeros, poison, a constant, each input, half of the right answer. */
  void try_plain();
  /** The right outputs of something else. */
  void try_outputs(const std::string &answer, const KeptTensors &outputs);

  const std::vector<BlindAnswer> &found() const { return found_; }
  const std::vector<std::string> &notes() const { return notes_; }
  /** `blindSchema` in src/model/correctness/verification.ts. */
  Json json() const;

 private:
  Device &device_;
  const Problem &problem_;
  const KeptTensors &inputs_;
  const KeptTensors &right_;
  RuleSet rules_;
  std::vector<std::optional<ReferenceError>> errors_;
  Reference ask_reference_;
  const KeptTensors *reference_ = nullptr;
  std::vector<std::optional<Rules>> seeing_;
  std::vector<BlindAnswer> found_;
  std::vector<std::string> notes_;

  void note(const std::string &text);
  void try_answer(std::size_t tensor, const std::string &name, const Answer &answer);
  const Rules &rules(std::size_t tensor) const { return rules_.of(problem_.tensors[tensor].name); }
  void try_constants(std::size_t tensor);
  /** The constant that is within the tolerance of most of the elements that are looked at. */
  double most_covered(std::size_t tensor, double excused) const;
  bool passes(const TensorSpec &tensor, std::size_t t, const KeptTensor &answer, const Rules &rules) const;
  /** Whether its first elements pass: most answers fail there, and need not be written out. */
  bool passes_at_first(std::size_t tensor, const Answer &answer) const;
  KeptTensor written(std::size_t tensor, const Answer &answer, std::size_t count) const;
  /** What a kernel can keep for that output. */
  const Rules &seeing_rules(std::size_t tensor);
  Rules make_seeing_rules(std::size_t tensor);
  /** What nothing but rounding in that output's type needs. */
  Rules rounding_rules(std::size_t tensor) const;
  /** What it can keep for all outputs that have no rules of their own: one tolerance serves them. */
  Rules shared_rules();
};

/**
 * Inputs with about half of the elements of floating-point ones zero, as if half of a sum were left out. None where
 * most elements are integers.
 */
std::optional<KeptTensors> half_of_inputs(Device &device, const Problem &problem, const KeptTensors &inputs);

}  // namespace pawl
