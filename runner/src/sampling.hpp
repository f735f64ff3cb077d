#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clock_bound.hpp"
#include "device.hpp"
#include "prepared_case.hpp"
#include "timed_guard.hpp"

namespace pawl {

enum class Mode { cold, hot, graph };

struct SampleRequest {
  Mode mode;
  std::int64_t count;
  double budget_ms;
  /** Hold the stream while launches are queued, where the device has a stream. */
  bool blocked;
};

struct SampleOutcome {
  std::vector<double> samples_ms;
  /** Empty where the device has no in-band clock. */
  std::vector<double> clock_mhz;
  /** Empty where the device does not tell. */
  std::vector<std::uint64_t> throttle_masks;
  std::int64_t batch = 1;
  const char *timing = "host";
  std::vector<std::string> notes;
  double timed_ms = 0;
  /** A call by the judge's own clock; 0 where it was not asked. */
  double outside_ms = 0;
};

/** Takes samples of a prepared case, request after request, and remembers what it learnt about it. */
class Sampling {
 public:
  Sampling(Device &device, Candidate &candidate, PreparedCase &prepared)
      : device_(device), candidate_(candidate), prepared_(prepared) {}
  Sampling(const Sampling &) = delete;
  Sampling &operator=(const Sampling &) = delete;

  SampleOutcome take(const SampleRequest &request, TimedGuard &guard);

 private:
  Device &device_;
  Candidate &candidate_;
  PreparedCase &prepared_;
  std::int64_t batch_ = 1;
  std::int64_t most_calls_ = 0;
  std::int64_t captured_ = 0;
  bool warmed_up_ = false;
  /** The kernel waits for the device inside a call: a stream that is held would only time out. */
  bool kernel_waits_ = false;
  /** Launching takes longer than the work: replays of captured calls are what the judge's clock can bound ... */
  bool bound_by_replay_ = false;
  /** ... and where calls cannot be captured, only launches and work together. */
  bool launch_bound_ = false;

  double batch_target_ms() const;
  double time_batch(std::int64_t calls, bool blocked);
  void choose_batch(bool blocked);
  void ensure_captured(std::int64_t calls);
  /** Whether a replay and a call give the same results on the same contents. */
  bool replay_is_the_work();
  /** Holds claims against the judge's clock in whatever way this kernel allows. */
  ClockBound bound(double claimed_ms, bool cold, bool graph);
};

}  // namespace pawl
