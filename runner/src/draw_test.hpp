#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "json.hpp"
#include "problem.hpp"

namespace pawl {

/**
 * Whether the elements of an output are draws with the probabilities that an oracle states, one row of them for each.
 *
 * Each draw becomes a number that is uniform where the draw is as stated: the probability of what comes before it, and
 * a random part of its own (the randomised probability integral transform). It is done twice, with outcomes by their
 * index, which shows a part of them that is left out, and by falling probability, which shows draws that are too sharp
 * or too flat. The distance of such numbers from a uniform distribution has a bound for any number of draws (Bretagnolle
 * 1980, for independent draws that need not be alike; Massart 1990 for those that are): P(distance > d) <= 2e exp(-2nd²).
 * Asked of all draws together, and of those of each row.
 */
class DrawTest {
 public:
  /** How often a right kernel is refused, for a case. */
  static constexpr double FALSE_ALARM = 1e-6;

  struct Verdict {
    /** Empty: nothing speaks against the draws. */
    std::string fault;
    /** `sampledSchema` in src/model/correctness/verification.ts. */
    Json json;
  };

  /** `probabilities`: of each element of the output, for each outcome. Throws `load-failed` for what are none. */
  DrawTest(const TensorSpec &tensor, const std::vector<double> &probabilities, const std::string &oracle);

  /** One draw for each element of the output, as a call wrote them. */
  void add(const std::vector<unsigned char> &output);
  std::size_t calls() const { return calls_; }
  Verdict verdict() const;

  /** Whether draws with other probabilities would pass the test with as many calls; false where they are the same. */
  bool is_blind_to(const std::vector<double> &others) const;
  /** Draws that need no work: always the first outcome or the likeliest one, or all alike. */
  std::vector<double> always(bool likeliest) const;
  std::vector<double> evenly() const;

 private:
  const TensorSpec &tensor_;
  std::vector<double> probabilities_;
  std::size_t rows_;
  std::size_t outcomes_;
  std::size_t calls_ = 0;
  /** By row, then by call; below 0 or too large where the kernel wrote that. */
  std::vector<std::vector<std::int64_t>> draws_;

  DrawTest(const DrawTest &like, std::size_t calls);
  const double *row(std::size_t at) const { return probabilities_.data() + at * outcomes_; }
};

}  // namespace pawl
