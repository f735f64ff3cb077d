#pragma once

#include <vector>

#include "candidate.hpp"
#include "timed_guard.hpp"

namespace pawl {

/** Whether the intervals of a request hold all the work. */
class DeviceWatch {
 public:
  /** An interval that was watched. */
  void add(const RunOutcome &outcome);
  void clear() { seen_.clear(); }
  /** Looking takes a time of its own, 35 us on some machines: worth finding out what it is, before anybody is accused. */
  bool suspects() const;
  /** One that was watched after a rest. */
  void add_rested(const RunOutcome &outcome);
  /** Judged over the whole request: a host that was busy elsewhere once is not a finding. */
  void report(TimedGuard &guard) const;

 private:
  struct Seen {
    double event_ms;
    double busy_after_ms;
  };
  double looking_ms() const;
  std::size_t busy() const;
  bool mostly(std::size_t count) const;

  std::vector<Seen> seen_;
  std::vector<double> rested_ms_;
};

}  // namespace pawl
