#include "sleep_watch.hpp"

#include <cstdlib>

#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

namespace pawl {
namespace {

constexpr double LEAST_CALL_MS = 1;
/** Less than any thread needs to start and end: nobody else ran, so nobody can have been waited for. */
constexpr double NOBODY_MS = 0.005;

double read_ms(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/** «running waiting slices» of the calling thread, in nanoseconds. */
std::optional<double> waiting_for_cpu_ms() {
  const int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  char text[96];
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return std::nullopt;
  text[size] = 0;
  char *end = nullptr;
  std::strtoull(text, &end, 10);
  return static_cast<double>(std::strtoull(end, nullptr, 10)) * 1e-6;
}

}  // namespace

SleepWatch::Usage SleepWatch::now() {
  Usage usage;
  rusage counted{};
  getrusage(RUSAGE_THREAD, &counted);
  usage.voluntary_switches = counted.ru_nvcsw;
  usage.disk_reads = counted.ru_majflt + counted.ru_inblock;
  usage.waiting_ms = waiting_for_cpu_ms();
  usage.process_cpu_ms = read_ms(CLOCK_PROCESS_CPUTIME_ID);
  usage.thread_cpu_ms = read_ms(CLOCK_THREAD_CPUTIME_ID);
  usage.wall_ms = read_ms(CLOCK_MONOTONIC);
  return usage;
}

void SleepWatch::begin() { begun_ = now(); }

void SleepWatch::end() {
  const double wall_ms = read_ms(CLOCK_MONOTONIC) - begun_.wall_ms;
  ++totals_.calls;
  if (wall_ms <= LEAST_CALL_MS) return;
  const Usage ended = now();
  // A call that read its code or data from a disk has not slept of its own will.
  if (ended.voluntary_switches == begun_.voluntary_switches || ended.disk_reads != begun_.disk_reads) return;
  const double own_ms = ended.thread_cpu_ms - begun_.thread_cpu_ms;
  const double others_ms = ended.process_cpu_ms - begun_.process_cpu_ms - own_ms;
  const bool counted = ended.waiting_ms && begun_.waiting_ms;
  const double waiting_ms = counted ? *ended.waiting_ms - *begun_.waiting_ms : 0;
  // Without the time in which others had the CPU: a call is what it would be on a machine of its own.
  const double call_ms = wall_ms - waiting_ms;
  const double asleep_ms = call_ms - own_ms;
  // Where another thread ran it may have been waited for, and that one for a CPU: nothing is said then.
  if (!counted || others_ms > NOBODY_MS || call_ms <= LEAST_CALL_MS || asleep_ms <= call_ms / 2) return;
  ++totals_.asleep;
  totals_.asleep_ms += asleep_ms;
  totals_.call_ms += call_ms;
}

}  // namespace pawl
