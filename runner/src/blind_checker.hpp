#pragma once

#include <string>
#include <vector>

#include "checker.hpp"
#include "json.hpp"

namespace pawl {

/**
 * Tries answers that need no work on a checker, in the place of outputs that it has called right: for each output alone,
 * and for all at once. A checker that lets one pass proves nothing. An answer that equals what the kernel wrote is
 * not evidence.
 */
class BlindChecker {
 public:
  /** `right`: what the checker called right for `inputs`; `others`: what the kernel wrote for other inputs. */
  BlindChecker(Device &device, const Problem &problem, const Checker &checker, const RuleSet &rules,
               const KeptTensors &inputs, const KeptTensors &right, const KeptTensors &others);

  /** `blindSchema` in src/model/correctness/verification.ts, added to a list. */
  void add_to(Json &list) const;
  const std::vector<std::string> &notes() const { return notes_; }

 private:
  struct Found {
    std::string answer;
    std::string tensor;
  };

  Device &device_;
  const Problem &problem_;
  const Checker &checker_;
  const RuleSet &rules_;
  const KeptTensors &inputs_;
  const KeptTensors &right_;
  std::vector<std::size_t> judged_;
  std::vector<Found> found_;
  std::vector<std::string> notes_;

  bool is_known(const std::string &answer, std::size_t tensor) const;
  KeptTensor constant(std::size_t tensor) const;
  bool equals_right(std::size_t tensor, const KeptTensor &answer) const;
  /** The same answer for some outputs; what it says of others is what the kernel wrote. */
  void try_answer(const std::string &answer, const std::vector<std::size_t> &tensors, const KeptTensors &values);
};

}  // namespace pawl
