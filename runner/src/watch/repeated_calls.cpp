#include "repeated_calls.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include "../random_bits.hpp"
#include "child_processes.hpp"
#include "kernel_watch.hpp"
#include "open_files.hpp"

namespace pawl {
namespace {

/** A leak shows in every batch; a cache that fills, or an arena made for a new thread, does not. */
constexpr std::size_t BATCHES = 4;
/** Less is what allocators keep for themselves. */
constexpr double LEAK_BYTES = 64;
/** So many times as many calls confirm a leak, unless so much is gone already that memory might not do. */
constexpr std::int64_t MORE_CALLS = 4;
constexpr double MUCH_BYTES = 64 << 20;
/** Less is what runtimes read a call: the number of CPUs, a wake-up through a descriptor. */
constexpr double FILE_BYTES = 64;
/** Repeated contents that take less than this share of the time of fresh ones were recognised. */
constexpr double RECOGNISED = 0.5;
/** Calls this short vary by as much for other reasons. */
constexpr double LEAST_CALL_US = 20;

/** Read without allocating: what is counted must not be what counts. */
double address_space_bytes() {
  char text[128];
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return 0;
  text[size] = 0;
  return static_cast<double>(std::strtoull(text, nullptr, 10)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double heap_bytes() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 33))
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
#else
  return 0;
#endif
}

struct MemoryReading {
  double heap;
  double address_space;
  double device;
};

MemoryReading read_memory(Device &device) {
  return {heap_bytes(), address_space_bytes(), device.used_bytes().value_or(0)};
}

using Readings = std::array<MemoryReading, BATCHES + 1>;

/** Bytes a call, when every batch left some. */
std::optional<double> growth(const Readings &readings, double MemoryReading::*kind, std::int64_t calls_each) {
  const auto calls = static_cast<double>(calls_each);
  for (std::size_t i = 1; i < readings.size(); ++i)
    if (readings[i].*kind - readings[i - 1].*kind < LEAK_BYTES * calls) return std::nullopt;
  return (readings.back().*kind - readings.front().*kind) / (calls * BATCHES);
}

/** A call without anything of Pawl's around it. */
void call(Device &device, PreparedCase &prepared, std::size_t set) {
  const int status = prepared.run(set);
  device.wait_for_all();
  if (status != 0) prepared.fail(status);
}

/** What went through files, less what was printed and what asking costs. */
class Traffic {
 public:
  Traffic() {
    const std::optional<std::uint64_t> first = transferred_bytes();
    begin();
    known_ = first && begun_;
    if (known_) own_ = *begun_ - *first;
  }
  bool known() const { return known_; }
  void begin() { begun_ = transferred_bytes(); }
  void end() {
    const std::optional<std::uint64_t> now = transferred_bytes();
    if (now && begun_) bytes_ += static_cast<double>(*now - *begun_) - static_cast<double>(own_);
  }
  double bytes() const { return bytes_; }

 private:
  bool known_ = false;
  std::uint64_t own_ = 0;
  std::optional<std::uint64_t> begun_;
  double bytes_ = 0;
};

/** What every call leaves allocated; empty when nothing. */
std::string leak_in(const Readings &readings, std::int64_t calls_each) {
  const auto say = [](double bytes, const char *where) {
    char text[128];
    std::snprintf(text, sizeof text, "every call leaves about %.0f bytes of %s allocated", bytes, where);
    return std::string(text);
  };
  if (const auto device = growth(readings, &MemoryReading::device, calls_each)) return say(*device, "device memory");
  if (const auto heap = growth(readings, &MemoryReading::heap, calls_each)) return say(*heap, "memory");
  if (const auto mapped = growth(readings, &MemoryReading::address_space, calls_each))
    return say(*mapped, "address space");
  return "";
}

double most_growth(const Readings &readings) {
  const MemoryReading &first = readings.front(), &last = readings.back();
  return std::max({last.heap - first.heap, last.address_space - first.address_space, last.device - first.device});
}

/** Once more, with more calls: a cache of limited size fills up at some time, and a leak does not. */
std::string leak_in_more_calls(Device &device, PreparedCase &prepared, std::size_t set, std::int64_t calls_each) {
  const PrintedAside aside;
  Readings readings{read_memory(device)};
  for (std::size_t batch = 1; batch < readings.size(); ++batch) {
    for (std::int64_t i = 0; i < calls_each; ++i) call(device, prepared, set);
    readings[batch] = read_memory(device);
  }
  return leak_in(readings, calls_each);
}

/** How long calls take on contents they have just seen, in the middle, and at least on others. */
struct ContentTimes {
  double repeated_us;
  double fresh_us;

  // The middle of the one against the least of the other: a load that slows some calls cannot make that up.
  bool recognised() const { return fresh_us > LEAST_CALL_US && repeated_us < RECOGNISED * fresh_us; }
};

ContentTimes time_contents(Device &device, PreparedCase &prepared, std::size_t set, std::int64_t rounds) {
  const HostClock &clock = kernel_watch().clock();
  const auto timed_us = [&](std::uint64_t key) {
    // The same preparation for both, so that caches and predictors see the same.
    prepared.freshen(set, key);
    prepared.poison_outputs(set);
    device.wait_for_all();
    const std::int64_t from = clock.ns();
    call(device, prepared, set);
    return static_cast<double>(clock.ns() - from) * 1e-3;
  };
  std::vector<double> fresh, repeated;
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::uint64_t key = random_bits() | 1;
    fresh.push_back(timed_us(key));
    repeated.push_back(timed_us(key));
  }
  std::sort(repeated.begin(), repeated.end());
  return {repeated[repeated.size() / 2], *std::min_element(fresh.begin(), fresh.end())};
}

}  // namespace

void watch_repeated_calls(Device &device, PreparedCase &prepared, std::size_t set, std::int64_t calls,
                          AuditReport &report) {
  const std::int64_t calls_each = std::max<std::int64_t>(1, calls / static_cast<std::int64_t>(BATCHES));
  const long faults = finished_children_faults();
  Readings readings{};
  Traffic traffic;
  double printed = 0;
  bool told_apart = false;
  {
    const PrintedAside aside;
    told_apart = aside.active();
    readings[0] = read_memory(device);
    for (std::size_t batch = 1; batch < readings.size(); ++batch) {
      traffic.begin();
      for (std::int64_t i = 0; i < calls_each; ++i) call(device, prepared, set);
      printed = static_cast<double>(aside.bytes());
      traffic.end();
      readings[batch] = read_memory(device);
    }
  }
  if (!leak_in(readings, calls_each).empty()) {
    const std::int64_t times = most_growth(readings) < MUCH_BYTES ? MORE_CALLS : 1;
    const std::string leak = leak_in_more_calls(device, prepared, set, times * calls_each);
    if (!leak.empty()) report.found("memory-leaked", leak);
  }
  if (finished_children_faults() != faults)
    report.found("helper-process", "processes were started and waited for during the calls");
  if (!traffic.known())
    report.notes.push_back("file-access: this system does not count what a process reads and writes");
  else if (!told_apart)
    report.notes.push_back("file-access: what the kernel prints could not be told from what it writes to files");
  else if (const double each = (traffic.bytes() - printed) / static_cast<double>(calls_each * BATCHES);
           each > FILE_BYTES)
    report.found("file-access", "each call reads and writes about " + std::to_string(std::llround(each)) +
                                    " bytes through files, pipes or sockets");
}

void watch_contents(Device &device, PreparedCase &prepared, std::size_t set, std::int64_t rounds,
                    AuditReport &report) {
  ContentTimes times = time_contents(device, prepared, set, rounds);
  // Twice: a machine that is busy with other things can look like anything once.
  if (times.recognised()) times = time_contents(device, prepared, set, rounds);
  prepared.freshen(set, 0);
  if (!times.recognised()) return;
  char text[160];
  std::snprintf(text, sizeof text, "a call on contents it has just seen takes %.1f us, and at least %.1f us on others",
                times.repeated_us, times.fresh_us);
  report.found("cached-result", text);
}

}  // namespace pawl
