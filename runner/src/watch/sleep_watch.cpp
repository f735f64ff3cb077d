#include "sleep_watch.hpp"

#include <algorithm>
#include <cstdlib>

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace pawl {
namespace {

constexpr double LEAST_CALL_MS = 1;
/** Less than any thread needs to start and end. One of a pool can do with less, and then left a CPU. */
constexpr double NOBODY_MS = 0.005;

double read_ms(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/**
 * The time that the threads of this process other than the calling one had a CPU. Each is asked for its own: the clock
 * of the process knows of a thread that runs on another CPU only what it had at that one's last tick.
 */
double others_cpu_ms() {
  DIR *threads = opendir("/proc/self/task");
  if (threads == nullptr) return 0;
  const pid_t own = static_cast<pid_t>(syscall(SYS_gettid));  // glibc has a function for it only from 2.30 on
  double sum_ms = 0;
  while (const dirent *entry = readdir(threads)) {
    const pid_t thread = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
    if (thread <= 0 || thread == own) continue;
    // How Linux makes a clock out of a thread's number: inverted, then «per thread» and «time scheduled».
    sum_ms += read_ms(static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | 6u));
  }
  closedir(threads);
  return sum_ms;
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
  rusage all{};
  getrusage(RUSAGE_SELF, &all);
  usage.others_switches = all.ru_nvcsw + all.ru_nivcsw - counted.ru_nvcsw - counted.ru_nivcsw;
  usage.disk_reads = counted.ru_majflt + counted.ru_inblock;
  usage.others_cpu_ms = others_cpu_ms();
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
  // Threads that ended are in the process's time alone.
  const double others_ms = std::max(ended.process_cpu_ms - begun_.process_cpu_ms - own_ms,
                                    ended.others_cpu_ms - begun_.others_cpu_ms);
  const bool others_ran = others_ms > NOBODY_MS || ended.others_switches != begun_.others_switches;
  const bool counted = ended.waiting_ms && begun_.waiting_ms;
  const double waiting_ms = counted ? *ended.waiting_ms - *begun_.waiting_ms : 0;
  // Without the time in which others had the CPU: a call is what it would be on a machine of its own.
  const double call_ms = wall_ms - waiting_ms;
  const double asleep_ms = call_ms - own_ms;
  // Where another thread ran it may have been waited for, and that one for a CPU: nothing is said then.
  if (!counted || others_ran || call_ms <= LEAST_CALL_MS || asleep_ms <= call_ms / 2) return;
  ++totals_.asleep;
  totals_.asleep_ms += asleep_ms;
  totals_.call_ms += call_ms;
}

}  // namespace pawl
