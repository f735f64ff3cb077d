#include "unseen_time.hpp"

#include <algorithm>

#include "quantile.hpp"

namespace pawl {
namespace {

/** So little of what the judge saw must be claimed, or this where it saw so much more. */
constexpr double LITTLE = 0.5, LESS = 0.75, MUCH_MORE_MS = 0.2;

}  // namespace

void UnseenTime::add(double claimed_ms, double seen_ms) { intervals_.push_back({claimed_ms, seen_ms}); }

void UnseenTime::clear() { intervals_.clear(); }

double UnseenTime::typical_seen_ms() const {
  std::vector<double> seen_ms;
  for (const Interval &interval : intervals_) seen_ms.push_back(interval.seen_ms);
  return median(std::move(seen_ms));
}

bool UnseenTime::is_gross(double waking_ms) const {
  std::vector<double> claimed_shares, unseen_ms;
  for (const auto &[claimed, seen] : intervals_) {
    claimed_shares.push_back(claimed / std::max(seen - waking_ms, claimed));
    unseen_ms.push_back(seen - waking_ms - claimed);
  }
  // The better quarter of the intervals, as of the round trips: a busy machine adds to both, and a liar lies in all.
  const double share = quantile(std::move(claimed_shares), 0.75);
  return share < LITTLE || (share < LESS && quantile(std::move(unseen_ms), 0.25) > MUCH_MORE_MS);
}

}  // namespace pawl
