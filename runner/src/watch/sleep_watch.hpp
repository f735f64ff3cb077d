#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace pawl {

/**
 * Tells calls that sleep from calls that compute, whatever else the machine does: time in which the calling thread
 * was neither running nor waiting for a CPU, and in which no other thread of the process ran either.
 */
class SleepWatch {
 public:
  /** Around one call of the kernel on this thread. */
  void begin();
  void end();

  struct Totals {
    std::int64_t calls = 0;
    /** Calls of more than a millisecond that slept for more than half of it. */
    std::int64_t asleep = 0;
    double asleep_ms = 0;
    double call_ms = 0;
  };
  const Totals &totals() const { return totals_; }

 private:
  struct Usage {
    double wall_ms = 0;
    double thread_cpu_ms = 0;
    double process_cpu_ms = 0;
    /** Runnable, but on no CPU; absent where the system does not count it. */
    std::optional<double> waiting_ms;
    long voluntary_switches = 0;
    /** Of the other threads: their time on a CPU, and how often they left one. */
    double others_cpu_ms = 0;
    long others_switches = 0;
    long disk_reads = 0;
  };
  Usage begun_;
  Totals totals_;

  static Usage now();
};

}  // namespace pawl
