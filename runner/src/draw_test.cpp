#include "draw_test.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "element.hpp"
#include "error.hpp"
#include "random_bits.hpp"

namespace pawl {
namespace {

/** Together in both orders, by row in both orders, and draws of no probability. */
constexpr double TESTS = 5;
/** What sums of probabilities may be off by: kernels' inputs are rounded. */
constexpr double SUM_OFF = 1e-3;

double uniform() { return static_cast<double>(random_bits() >> 11) * 0x1p-53; }

/** The distance that right draws exceed with this probability at most. */
double bound(std::size_t draws, double alarm) {
  return std::sqrt(std::log(2 * std::exp(1.0) / alarm) / (2 * static_cast<double>(draws)));
}

/** Kolmogorov's distance of numbers from the uniform distribution. */
double distance(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double most = 0;
  const auto count = static_cast<double>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    most = std::max(most, static_cast<double>(i + 1) / count - values[i]);
    most = std::max(most, values[i] - static_cast<double>(i) / count);
  }
  return most;
}

/** Whether so many of `draws` are more than a share of them explains (Chernoff's bound). */
bool too_many(std::size_t found, std::size_t draws, double share, double alarm) {
  if (found == 0) return false;
  if (share <= 0) return true;
  const auto n = static_cast<double>(draws);
  const double seen = static_cast<double>(found) / n;
  if (seen <= share) return false;
  double information = seen * std::log(seen / share);
  if (seen < 1) information += (1 - seen) * std::log((1 - seen) / (1 - share));
  return std::exp(-n * information) < alarm;
}

/** What comes before each outcome, by rank. */
std::vector<double> before(const double *probabilities, const std::vector<std::size_t> &order) {
  std::vector<double> sums(order.size());
  double sum = 0;
  for (const std::size_t outcome : order) {
    sums[outcome] = sum;
    sum += probabilities[outcome];
  }
  return sums;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

}  // namespace

DrawTest::DrawTest(const TensorSpec &tensor, const std::vector<double> &probabilities, const std::string &oracle)
    : tensor_(tensor),
      probabilities_(probabilities),
      rows_(tensor.elements),
      outcomes_(static_cast<std::size_t>(tensor.distribution->outcomes)),
      draws_(rows_) {
  for (std::size_t at = 0; at < rows_; ++at) {
    double sum = 0;
    for (std::size_t i = 0; i < outcomes_; ++i) {
      const double probability = row(at)[i];
      if (!(probability >= 0) || !std::isfinite(probability))
        throw RunnerError("load-failed", oracle + " says that the probability of outcome " + std::to_string(i) +
                                             " of element " + std::to_string(at) + " of '" + tensor.name + "' is " +
                                             number(probability));
      sum += probability;
    }
    if (std::fabs(sum - 1) > SUM_OFF)
      throw RunnerError("load-failed", oracle + " states probabilities of element " + std::to_string(at) + " of '" +
                                           tensor.name + "' that sum to " + number(sum));
    for (std::size_t i = 0; i < outcomes_; ++i) probabilities_[at * outcomes_ + i] /= sum;
  }
}

DrawTest::DrawTest(const DrawTest &like, std::size_t calls)
    : tensor_(like.tensor_),
      probabilities_(like.probabilities_),
      rows_(like.rows_),
      outcomes_(like.outcomes_),
      calls_(calls),
      draws_(like.rows_) {}

void DrawTest::add(const std::vector<unsigned char> &output) {
  for (std::size_t at = 0; at < rows_; ++at) draws_[at].push_back(load_integer(output.data(), tensor_.dtype, at));
  ++calls_;
}

DrawTest::Verdict DrawTest::verdict() const {
  const std::size_t draws = rows_ * calls_;
  const double slack = tensor_.distribution->slack;
  const double alarm = FALSE_ALARM / TESTS;
  const double together = bound(draws, alarm), alone = bound(calls_, alarm / static_cast<double>(rows_));
  std::size_t impossible = 0, outside = 0;
  bool repeats = calls_ > 1;
  std::int64_t stray = 0;
  double worst_row = 0;
  std::size_t worst_at = 0, wrong_rows = 0;
  std::vector<double> by_index, by_rank;
  by_index.reserve(draws);
  by_rank.reserve(draws);
  std::vector<std::size_t> order(outcomes_);
  for (std::size_t at = 0; at < rows_; ++at) {
    const double *stated = row(at);
    std::iota(order.begin(), order.end(), std::size_t(0));
    const std::vector<double> natural = before(stated, order);
    // Of many outcomes few may be possible.
    const auto possible = std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return stated[i] > 0; });
    std::stable_sort(order.begin(), possible, [&](std::size_t a, std::size_t b) { return stated[a] > stated[b]; });
    const std::vector<double> ranked = before(stated, order);
    std::vector<double> own_index, own_rank;
    for (const std::int64_t draw : draws_[at]) {
      repeats = repeats && draw == draws_[at][0];
      if (draw < 0 || draw >= static_cast<std::int64_t>(outcomes_)) {
        stray = outside++ == 0 ? draw : stray;
        continue;
      }
      const auto outcome = static_cast<std::size_t>(draw);
      impossible += stated[outcome] <= 0 ? 1 : 0;
      const double part = uniform() * stated[outcome];
      own_index.push_back(natural[outcome] + part);
      own_rank.push_back(ranked[outcome] + part);
    }
    const double off = own_index.empty() ? 0 : std::max(distance(own_index), distance(own_rank));
    wrong_rows += off > slack + alone ? 1 : 0;
    if (off > worst_row) {
      worst_row = off;
      worst_at = at;
    }
    by_index.insert(by_index.end(), own_index.begin(), own_index.end());
    by_rank.insert(by_rank.end(), own_rank.begin(), own_rank.end());
  }
  const double off = by_index.empty() ? 1 : std::max(distance(by_index), distance(by_rank));
  const double limit = slack + together;
  const std::string of = "'" + tensor_.name + "'";
  const std::string calls = std::to_string(calls_) + (calls_ == 1 ? " call" : " calls");
  Verdict verdict;
  if (outside > 0)
    verdict.fault = of + " holds " + std::to_string(stray) + ", which is none of its " + std::to_string(outcomes_) + " outcomes";
  else if (too_many(impossible, draws, slack, alarm))
    verdict.fault = std::to_string(impossible) + " of " + std::to_string(draws) + " draws of " + of + " have no probability";
  else if (wrong_rows > 0 && 2 * wrong_rows <= rows_)
    verdict.fault = "the draws of " + std::to_string(wrong_rows) + " of " + std::to_string(rows_) + " elements of " + of +
                    " are not as probable as stated: the distribution of element " + std::to_string(worst_at) +
                    " is off by " + number(worst_row) + " after " + calls + ", and " + number(slack + alone) +
                    " is the most that chance explains";
  else if (off > limit || wrong_rows > 0)
    verdict.fault = "the draws of " + of + " are not as probable as stated: their distribution is off by " +
                    number(off > limit ? off : worst_row) + " after " + calls + ", and " +
                    number(off > limit ? limit : slack + alone) + " is the most that chance explains";
  if (!verdict.fault.empty() && outside == 0 && repeats) verdict.fault += "; all calls drew the same";
  verdict.json = Json::object()
                     .set("name", tensor_.name)
                     .set("calls", static_cast<std::uint64_t>(calls_))
                     .set("draws", static_cast<std::uint64_t>(draws))
                     .set("distance", off)
                     .set("limit", limit)
                     .set("sees", slack + 2 * together)
                     .set("false_alarm", FALSE_ALARM);
  return verdict;
}

bool DrawTest::is_blind_to(const std::vector<double> &others) const {
  double apart = 0;
  for (std::size_t i = 0; i < others.size(); ++i) apart += std::fabs(others[i] - probabilities_[i]) / 2;
  // As near as a kernel may be.
  if (apart / static_cast<double>(rows_) <= tensor_.distribution->slack) return false;
  DrawTest tried(*this, calls_);
  for (std::size_t at = 0; at < rows_; ++at) {
    std::vector<double> sums(outcomes_);
    std::partial_sum(others.begin() + static_cast<std::ptrdiff_t>(at * outcomes_),
                     others.begin() + static_cast<std::ptrdiff_t>((at + 1) * outcomes_), sums.begin());
    for (std::size_t call = 0; call < calls_; ++call) {
      const auto found = std::upper_bound(sums.begin(), sums.end(), uniform() * sums.back()) - sums.begin();
      tried.draws_[at].push_back(std::min<std::int64_t>(found, static_cast<std::int64_t>(outcomes_) - 1));
    }
  }
  return tried.verdict().fault.empty();
}

std::vector<double> DrawTest::always(bool likeliest) const {
  std::vector<double> guess(probabilities_.size());
  for (std::size_t at = 0; at < rows_; ++at) {
    const double *stated = row(at);
    guess[at * outcomes_ + (likeliest ? static_cast<std::size_t>(std::max_element(stated, stated + outcomes_) - stated) : 0)] = 1;
  }
  return guess;
}

std::vector<double> DrawTest::evenly() const {
  return std::vector<double>(probabilities_.size(), 1 / static_cast<double>(outcomes_));
}

}  // namespace pawl
