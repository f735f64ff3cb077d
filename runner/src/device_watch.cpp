#include "device_watch.hpp"

#include <algorithm>
#include <cstdio>

#include "quantile.hpp"

namespace pawl {
namespace {

/** Fewer intervals than this say nothing about a habit. */
constexpr std::size_t FEWEST = 3;
/** Beyond what looking takes: more than both of these is work. */
constexpr double BUSY_MS = 0.030;
constexpr double BUSY_SHARE = 0.1;
/** No machine needs longer to find an idle device idle: what takes longer even after a rest is work. */
constexpr double LONGEST_LOOK_MS = 0.1;

}  // namespace

void DeviceWatch::add(const RunOutcome &outcome) {
  seen_.push_back({outcome.inside_ms, outcome.busy_after_ms});
}

void DeviceWatch::add_rested(const RunOutcome &outcome) { rested_ms_.push_back(outcome.busy_after_ms); }

double DeviceWatch::looking_ms() const {
  return rested_ms_.empty() ? 0 : std::min(median(rested_ms_), LONGEST_LOOK_MS);
}

std::size_t DeviceWatch::busy() const {
  const double looking = looking_ms();
  return static_cast<std::size_t>(std::count_if(seen_.begin(), seen_.end(), [looking](const Seen &seen) {
    const double excess_ms = seen.busy_after_ms - looking;
    return excess_ms > BUSY_MS && excess_ms > BUSY_SHARE * seen.event_ms;
  }));
}

bool DeviceWatch::mostly(std::size_t count) const { return 4 * count > 3 * seen_.size(); }

bool DeviceWatch::suspects() const { return seen_.size() >= FEWEST && mostly(busy()); }

void DeviceWatch::report(TimedGuard &guard) const {
  if (seen_.size() < FEWEST) return;
  if (!mostly(busy())) return;
  std::vector<double> event_ms, busy_ms;
  for (const Seen &seen : seen_) {
    event_ms.push_back(seen.event_ms);
    busy_ms.push_back(seen.busy_after_ms - looking_ms());
  }
  char text[192];
  std::snprintf(text, sizeof text,
                "the device stays busy for %.3f ms after intervals of %.3f ms: work on another stream is not timed",
                median(busy_ms), median(event_ms));
  guard.found("work-elsewhere", text);
}

}  // namespace pawl
