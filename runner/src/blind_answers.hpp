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
  /** Rules that do not let it pass, and that a kernel in this precision can keep. */
  Rules sees;
  /** They are for this output alone. */
  bool own;
};

/**
 * Tries answers that need no work on the rules that judge a kernel: rules that let one pass are blind, whatever the
 * kernel computes. An answer that is right to the last place is not evidence (a copy is right for a kernel that
 * copies), and one that no rule of this precision could tell from the right answer is a note: the inputs are to blame.
 */
class BlindAnswers {
 public:
  /** What a trusted implementation makes of the inputs, by tensor index; empty where there is none. */
  using Reference = std::function<TensorBytes()>;

  /**
   * `errors` of the reference by tensor index, as `compare` takes them; `reference` is asked when an answer passes.
   * What is passed must outlive this object.
   */
  BlindAnswers(const Problem &problem, const TensorBytes &inputs, const std::vector<WideValues> &right,
               const RuleSet &rules, std::vector<std::optional<ReferenceError>> errors, Reference reference);

  /** Whatever can be written without an oracle: zeros, poison, a constant, each input, half of the right answer. */
  void try_plain();
  /** The right outputs of something else. */
  void try_outputs(const std::string &answer, const std::vector<WideValues> &outputs);

  const std::vector<BlindAnswer> &found() const { return found_; }
  const std::vector<std::string> &notes() const { return notes_; }
  /** `blindSchema` in src/model/check.ts. */
  Json json() const;

 private:
  /** Writes `count` elements of an answer, the first of them being element `from` of the tensor. */
  using Writer = std::function<void(void *data, std::size_t from, std::size_t count)>;

  const Problem &problem_;
  const TensorBytes &inputs_;
  const std::vector<WideValues> &right_;
  RuleSet rules_;
  std::vector<std::optional<ReferenceError>> errors_;
  Reference ask_reference_;
  std::optional<TensorBytes> reference_;
  std::vector<std::optional<Rules>> seeing_;
  std::vector<BlindAnswer> found_;
  std::vector<std::string> notes_;

  void try_answer(std::size_t tensor, const std::string &answer, const Writer &write);
  const Rules &rules(std::size_t tensor) const { return rules_.of(problem_.tensors[tensor].name); }
  void try_constants(std::size_t tensor);
  void try_constant(std::size_t tensor, double value);
  void try_complex_mean(std::size_t tensor);
  bool passes(std::size_t tensor, const std::vector<unsigned char> &answer, const Rules &rules) const;
  /** Whether its first elements pass: most answers fail there, and need not be written out. */
  bool passes_at_first(std::size_t tensor, const Writer &write) const;
  std::vector<unsigned char> written(std::size_t tensor, const Writer &write, std::size_t count) const;
  /** What a kernel can keep for that output. */
  const Rules &seeing_rules(std::size_t tensor);
  Rules make_seeing_rules(std::size_t tensor);
  /** What it can keep for all outputs that have no rules of their own: one tolerance serves them. */
  Rules shared_rules();
};

/**
 * Inputs with about half of the elements of floating-point ones zero, as if half of a sum were left out. None where
 * most elements are integers.
 */
std::optional<TensorBytes> half_of_inputs(const Problem &problem, const TensorBytes &inputs);

}  // namespace pawl
