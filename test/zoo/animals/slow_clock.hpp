// A monotonic clock that runs ten times too slow from its first reading on; other clocks are right.
#pragma once

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

inline int slow_clock(clockid_t clock, timespec *time) {
  static long long start_ns = 0;
  const long status = syscall(SYS_clock_gettime, clock, time);
  const long long now_ns = time->tv_sec * 1000000000LL + time->tv_nsec;
  if (clock != CLOCK_MONOTONIC) return static_cast<int>(status);
  if (start_ns == 0) start_ns = now_ns;
  const long long shown_ns = start_ns + (now_ns - start_ns) / 10;
  time->tv_sec = static_cast<time_t>(shown_ns / 1000000000LL);
  time->tv_nsec = static_cast<long>(shown_ns % 1000000000LL);
  return static_cast<int>(status);
}
