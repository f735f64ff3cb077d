#include "host_clock.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace pawl {
namespace {

/** Long enough that the few ten nanoseconds around each reading stay below 0.01 %. */
constexpr std::int64_t CALIBRATION_NS = 2'000'000;
/** Clocks disagree when they differ by more than this share of the intervals ... */
constexpr double LEAST_SHARE = 0.05;
/** ... and by more than reading them, an interrupt or two, can explain: in all, and for each interval. */
constexpr double LEAST_NS = 50'000;
constexpr double LEAST_NS_EACH = 2'000;

bool counter_is_steady() {
#if defined(__x86_64__)
  // «Invariant TSC»: CPUID 8000_0007h, EDX bit 8 (Intel SDM vol. 3, 18.17.1).
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(0x80000007u, &eax, &ebx, &ecx, &edx) != 0 && (edx & (1u << 8)) != 0;
#elif defined(__aarch64__)
  return true;  // the generic timer runs at one rate by definition (Arm ARM, D12)
#else
  return false;
#endif
}

std::int64_t usual_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string milliseconds(double ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f ms", ns * 1e-6);
  return text;
}

}  // namespace

HostClock::HostClock() : clock_gettime_(&clock_gettime) {
  if (!counter_is_steady()) return;
  // The tightest of a few readings at either end: an interrupt between the two clocks would spoil the rate.
  const auto tightest = [this] {
    Moment best{};
    std::uint64_t width = std::numeric_limits<std::uint64_t>::max();
    for (int i = 0; i < 16; ++i) {
      const std::uint64_t before = ticks();
      const std::int64_t now = ns();
      const std::uint64_t after = ticks();
      if (after - before >= width) continue;
      width = after - before;
      best = {now, before + width / 2};
    }
    return best;
  };
  const Moment from = tightest();
  while (ns() - from.ns < CALIBRATION_NS) {
  }
  const Moment to = tightest();
  if (to.ticks > from.ticks)
    tick_ns_ = static_cast<double>(to.ns - from.ns) / static_cast<double>(to.ticks - from.ticks);
}

ClockComparison::ClockComparison(const HostClock &clock)
    : clock_(clock), usual_before_ns_(usual_ns()), started_ns_(clock.ns()), usual_after_ns_(usual_ns()) {}

void ClockComparison::add(const Moment &begin, const Moment &end) {
  ++count_;
  const auto system = static_cast<double>(end.ns - begin.ns);
  system_ns_ += system;
  if (!clock_.tick_ns()) return;
  const double difference = static_cast<double>(end.ticks - begin.ticks) * *clock_.tick_ns() - system;
  difference_ns_ += difference;
  if (std::fabs(difference) > std::fabs(largest_ns_)) largest_ns_ = difference;
}

std::optional<std::string> ClockComparison::disagreement() {
  const std::int64_t usual_before = usual_ns(), ended = clock_.ns(), usual_after = usual_ns();
  const auto elapsed = static_cast<double>(ended - started_ns_);
  const auto least_usual = static_cast<double>(usual_before - usual_after_ns_);
  const auto most_usual = static_cast<double>(usual_after - usual_before_ns_);
  const double apart = std::max(least_usual - elapsed, elapsed - most_usual);
  if (apart > std::max(LEAST_NS, LEAST_SHARE * elapsed))
    return "the clock that programs ask for the time says that " + milliseconds((least_usual + most_usual) / 2) +
           " went by, and the address it had before the kernel was loaded says " + milliseconds(elapsed);
  // Without the one that disagrees most, where there are several: a virtual machine that was paused in between.
  const double difference = std::fabs(count_ >= 3 ? difference_ns_ - largest_ns_ : difference_ns_);
  const double least =
      std::max({LEAST_NS, LEAST_SHARE * system_ns_, LEAST_NS_EACH * static_cast<double>(count_)});
  if (difference <= least) return std::nullopt;
  return "the intervals take " + milliseconds(system_ns_) + " by the system's clock and " +
         milliseconds(system_ns_ + difference_ns_) + " by the CPU's own counter";
}

}  // namespace pawl
