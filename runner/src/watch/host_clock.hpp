#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace pawl {

/** A moment by two clocks that have nothing in common but time. */
struct Moment {
  std::int64_t ns;     // the operating system's monotonic clock
  std::uint64_t ticks; // the CPU's own counter, read without any function that could be replaced
};

/**
 * The host's clocks, made before kernel code is loaded: the system clock is called through an address resolved
 * then, and the counter's rate is known from then.
 */
class HostClock {
 public:
  HostClock();

  /** Around an interval the counter is read outside and the system clock inside. */
  Moment begin() const {
    const std::uint64_t counter = ticks();
    return {ns(), counter};
  }
  Moment end() const {
    const std::int64_t now = ns();
    return {now, ticks()};
  }
  std::int64_t ns() const {
    timespec now{};
    clock_gettime_(CLOCK_MONOTONIC, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
  }
  /** Nanoseconds a tick; absent where the counter does not run at one rate. */
  std::optional<double> tick_ns() const { return tick_ns_; }

 private:
  int (*clock_gettime_)(clockid_t, timespec *);
  std::optional<double> tick_ns_;

  static std::uint64_t ticks() {
#if defined(__x86_64__)
    _mm_lfence();
    const std::uint64_t counter = __rdtsc();
    _mm_lfence();
    return counter;
#elif defined(__aarch64__)
    std::uint64_t counter;
    asm volatile("isb; mrs %0, cntvct_el0; isb" : "=r"(counter)::"memory");
    return counter;
#else
    return 0;
#endif
  }
};

/** Whether the clocks agreed about the intervals of a request. */
class ClockComparison {
 public:
  explicit ClockComparison(const HostClock &clock);
  void add(const Moment &begin, const Moment &end);
  /** A sentence when they did not; to be asked once, when the last interval is over. */
  std::optional<std::string> disagreement();

 private:
  const HostClock &clock_;
  std::int64_t count_ = 0;
  double system_ns_ = 0;
  double difference_ns_ = 0;
  double largest_ns_ = 0;
  /**
   * The whole request by the resolved address, and by the way in which any code asks for the time, before and after
   * it: whoever loses the CPU between two readings knows only that the true one lies between them.
   */
  std::int64_t usual_before_ns_;
  std::int64_t started_ns_;
  std::int64_t usual_after_ns_;
};

}  // namespace pawl
