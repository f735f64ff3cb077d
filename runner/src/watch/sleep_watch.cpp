#include "sleep_watch.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <time.h>

#include "proc.hpp"

namespace pawl {
namespace {

constexpr double LEAST_CALL_MS = 1;
/** Less than any thread needs to start and end. One of a pool can do with less, and then left a CPU. */
constexpr double NOBODY_MS = 0.005;

double wall_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double read_ms(clockid_t clock) {
  timespec now{};
  if (clock_gettime(clock, &now) != 0) return 0;
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/** How Linux makes a clock out of a process's number: inverted, then the kind of clock. */
clockid_t clock_of_process(int pid) { return static_cast<clockid_t>((~static_cast<unsigned>(pid) << 3) | 2u); }

struct Scheduled {
  double running_ms = 0;
  double waiting_ms = 0;
  long slices = 0;
};

/** "running waiting slices", the times in nanoseconds. */
std::optional<Scheduled> schedule_of(int pid, int thread) {
  const std::string path = "/proc/" + std::to_string(pid) + "/task/" + std::to_string(thread) + "/schedstat";
  unsigned long long running = 0, waiting = 0;
  Scheduled found;
  if (std::sscanf(read_proc(path).value_or("").c_str(), "%llu %llu %ld", &running, &waiting, &found.slices) != 3)
    return std::nullopt;
  found.running_ms = static_cast<double>(running) * 1e-6;
  found.waiting_ms = static_cast<double>(waiting) * 1e-6;
  return found;
}

/** How long this thread was runnable and had no CPU: the call may be long over when it is told so. */
double own_waiting_ms() {
  unsigned long long running = 0, waiting = 0;
  std::sscanf(read_proc("/proc/thread-self/schedstat").value_or("").c_str(), "%llu %llu", &running, &waiting);
  return static_cast<double>(waiting) * 1e-6;
}

/** Pages that had to come from a disk. */
long major_faults(int pid) {
  const std::string stat = read_proc("/proc/" + std::to_string(pid) + "/stat").value_or("");
  const std::size_t after_name = stat.rfind(')');
  long faults = 0;
  if (after_name != std::string::npos)
    std::sscanf(stat.c_str() + after_name + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %ld", &faults);
  return faults;
}

/** The number after a name in a process's `status`. */
long number_in(const std::string &status, const char *name) {
  const std::size_t at = status.find(name);
  return at == std::string::npos ? 0 : std::atol(status.c_str() + at + std::strlen(name));
}

}  // namespace

SleepWatch::Usage SleepWatch::now(int pid) {
  Usage usage;
  usage.disk_reads = major_faults(pid);
  const std::string status = read_proc("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/status").value_or("");
  usage.waits = number_in(status, "\nvoluntary_ctxt_switches:");
  usage.is_waiting = status.find("\nState:\tS") != std::string::npos;
  for (const int thread : numbers_in("/proc/" + std::to_string(pid) + "/task")) {
    const std::optional<Scheduled> scheduled = schedule_of(pid, thread);
    if (!scheduled) continue;
    if (thread == pid) {
      usage.own_ms = scheduled->running_ms;
      usage.waiting_ms = scheduled->waiting_ms + own_waiting_ms();
    } else {
      usage.others_ms += scheduled->running_ms;
      usage.others_slices += scheduled->slices;
    }
  }
  // Threads that ended are in the process's time alone.
  usage.others_ms = std::max(usage.others_ms, read_ms(clock_of_process(pid)) - usage.own_ms.value_or(0));
  usage.wall_ms = wall_ms();
  return usage;
}

void SleepWatch::begin(int pid) { begun_ = now(pid); }

void SleepWatch::end(int pid) {
  const double wall = wall_ms() - begun_.wall_ms;
  ++totals_.calls;
  if (wall <= LEAST_CALL_MS) return;
  const Usage ended = now(pid);
  // A call that read its code or data from a disk has not slept of its own will.
  if (!ended.own_ms || !begun_.own_ms || ended.disk_reads != begun_.disk_reads) return;
  // Waiting for the request before this call, and for the one after it, is not the kernel's.
  if (ended.waits - begun_.waits - (begun_.is_waiting ? 0 : 1) - (ended.is_waiting ? 1 : 0) < 1) return;
  const double own_ms = *ended.own_ms - *begun_.own_ms;
  const bool others_ran =
      ended.others_ms - begun_.others_ms > NOBODY_MS || ended.others_slices != begun_.others_slices;
  // Without the time in which others had the CPU: a call is what it would be on a machine of its own.
  const double call_ms = wall - (ended.waiting_ms - begun_.waiting_ms);
  const double asleep_ms = call_ms - own_ms;
  // Where another thread ran it may have been waited for, and that one for a CPU: nothing is said then.
  if (others_ran || call_ms <= LEAST_CALL_MS || asleep_ms <= call_ms / 2) return;
  ++totals_.asleep;
  totals_.asleep_ms += asleep_ms;
  totals_.call_ms += call_ms;
}

}  // namespace pawl
