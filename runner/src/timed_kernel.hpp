#pragma once

#include <cstdint>

#include "clock_bound.hpp"
#include "device.hpp"
#include "prepared_case.hpp"

namespace pawl {

/** A call cannot take no time: the least that is reported. */
constexpr double LEAST_REPORTED_MS = 1e-6;

/** A prepared case that is timed request after request, and what was learnt about how its calls can be timed. */
class TimedKernel {
 public:
  TimedKernel(Device &device, Candidate &candidate, PreparedCase &prepared);
  TimedKernel(const TimedKernel &) = delete;
  TimedKernel &operator=(const TimedKernel &) = delete;

  Device &device() const { return device_; }
  Candidate &candidate() const { return candidate_; }
  PreparedCase &prepared() const { return prepared_; }
  /** Calls are queued on a device, and do not return with their work done. */
  bool has_stream() const { return device_.pace().has_stream; }

  /** The first call of all pays for page faults, lazy binding and modules that load. */
  void warm_up();
  /** Calls in one interval. Keeps those of the request before where they still fit, so that a series has one size. */
  std::int64_t choose_batch(bool blocked);
  /** A kernel of several launches a call can fill the launch queue, and the host then waits for the hold. */
  std::int64_t shrink_batch(std::int64_t calls);
  void ensure_captured(std::int64_t calls);
  /** Holds claims against the judge's clock in whatever way this kernel allows. */
  ClockBound bound(double claimed_ms, bool cold, bool graph);

  /** The kernel waits for the device inside a call: a stream that is held would only time out. */
  bool waits = false;
  /** Launching takes longer than the work, and calls cannot be captured: the judge's clock bounds both together. */
  bool launch_bound = false;

 private:
  Device &device_;
  Candidate &candidate_;
  PreparedCase &prepared_;
  std::int64_t batch_ = 1;
  std::int64_t most_calls_;
  std::int64_t captured_ = 0;
  bool warmed_up_ = false;
  /** Launching takes longer than the work: replays of captured calls are what the judge's clock can bound. */
  bool bound_by_replay_ = false;

  double batch_target_ms() const;
  double time_batch(std::int64_t calls, bool blocked);
  /** Whether a replay and a call give the same results on the same contents. */
  bool replay_is_the_work();
};

}  // namespace pawl
