#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "timed_guard.hpp"
#include "timed_kernel.hpp"

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

/** Takes the samples of one request. */
SampleOutcome take_samples(TimedKernel &kernel, const SampleRequest &request, TimedGuard &guard);

}  // namespace pawl
