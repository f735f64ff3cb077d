#pragma once

#include <cstddef>
#include <vector>

namespace pawl {

/**
 * Intervals that the judge's clock did not confirm: what the clock in the kernel's process claimed, and what the judge
 * saw. A busy machine adds to some of them; a clock that lies does so in all.
 */
class UnseenTime {
 public:
  void add(double claimed_ms, double seen_ms);
  void clear();
  std::size_t count() const { return intervals_.size(); }
  /** How long such an interval takes by the judge's clock. */
  double typical_seen_ms() const;
  /** So little is claimed that waiting cannot explain it. `waking_ms`: what CPUs that slept add to each. */
  bool is_gross(double waking_ms) const;

 private:
  struct Interval {
    double claimed_ms, seen_ms;
  };
  std::vector<Interval> intervals_;
};

}  // namespace pawl
