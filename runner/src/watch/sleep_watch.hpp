#pragma once

#include <cstdint>
#include <optional>

namespace pawl {

/**
 * Tells calls that sleep from calls that compute, whatever else the machine does: time in which the thread that was
 * called was neither running nor waiting for a CPU, after it had given its CPU up by itself (a virtual machine that is
 * not run for a while looks the same otherwise), and in which no other thread of its process ran either. Looked at from
 * outside, while that process waits.
 */
class SleepWatch {
 public:
  /** Of the process whose first thread makes the calls. */
  void begin(int pid);
  void end(int pid);

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
    /** On a CPU; absent where the system does not count. */
    std::optional<double> own_ms;
    /** Runnable but on none: the thread that is called, and the one that watches. */
    double waiting_ms = 0;
    double others_ms = 0;
    long others_slices = 0;
    long disk_reads = 0;
    /** How often the thread that is called began to wait, and whether it waits now: for the next request, that is. */
    long waits = 0;
    bool is_waiting = false;
  };
  Usage begun_;
  Totals totals_;

  static Usage now(int pid);
};

}  // namespace pawl
