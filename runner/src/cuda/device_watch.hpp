#pragma once

#include <vector>

#include "../timed_guard.hpp"
#include "pawl_timer.h"

namespace pawl {

/** Whether the intervals of a request hold all the work, and as much time as the host saw go by. */
class DeviceWatch {
 public:
  /** Right after an interval that was taken with PAWL_TIMER_WATCH; `ms` is what its events say. */
  void add(const pawl_timer *timer, double ms);
  void clear() { seen_.clear(); }
  /** Looking takes a time of its own, 35 us on some machines: worth finding out what it is, before anybody is accused. */
  bool suspects() const;
  /** Right after an interval that was taken with PAWL_TIMER_REST besides. */
  void add_rested(const pawl_timer *timer);
  /** Judged over the whole request: a host that was busy elsewhere once is no finding. */
  void report(TimedGuard &guard) const;

 private:
  struct Seen {
    double event_ms;
    double host_ms;
    double busy_after_ms;
  };
  double looking_ms() const;
  std::size_t busy() const;
  bool mostly(std::size_t count) const;

  std::vector<Seen> seen_;
  std::vector<double> rested_ms_;
};

}  // namespace pawl
