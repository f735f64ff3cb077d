#include "repeated_calls.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include <unistd.h>

#include "../random_bits.hpp"
#include "child_processes.hpp"
#include "open_files.hpp"
#include "proc.hpp"

namespace pawl {
namespace {

/** A leak shows in every batch; a cache that fills, or an arena made for a new thread, does not. */
constexpr std::size_t BATCHES = 4;
/** Less is what allocators keep for themselves. */
constexpr double LEAK_BYTES = 64;
/** So many times as many calls confirm a leak, unless so much is gone already that memory might not do. */
constexpr std::int64_t MORE_CALLS = 4;
constexpr double MUCH_BYTES = 64 << 20;
/** What allocators and interpreters keep for later, a few blocks of each size, is full after so many calls or bytes. */
constexpr std::int64_t ENOUGH_CALLS = 500;
constexpr double ENOUGH_BYTES = 1 << 20;
constexpr double MOST_CONFIRMING_MS = 5000;
/** Less is what runtimes read a call: the number of CPUs, a wake-up through a descriptor. */
constexpr double FILE_BYTES = 64;
/** Repeated contents that take less than this share of the time of fresh ones were recognised. */
constexpr double RECOGNISED = 0.5;
/** Calls this short vary by as much for other reasons. */
constexpr double LEAST_CALL_US = 20;

double address_space_bytes(int pid) {
  const std::string text = read_proc("/proc/" + std::to_string(pid) + "/statm").value_or("");
  return static_cast<double>(std::strtoull(text.c_str(), nullptr, 10)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

struct MemoryReading {
  double heap;
  double address_space;
  double device;
};

/** The heap is told by the process itself, the rest by the system and the device. */
MemoryReading read_memory(Device &device, Candidate &candidate) {
  return {candidate.heap_bytes(), address_space_bytes(candidate.pid()), device.used_bytes().value_or(0)};
}

using Readings = std::array<MemoryReading, BATCHES + 1>;

/** Bytes a call, when every batch left some. */
std::optional<double> growth(const Readings &readings, double MemoryReading::*kind, std::int64_t calls_each) {
  const auto calls = static_cast<double>(calls_each);
  for (std::size_t i = 1; i < readings.size(); ++i)
    if (readings[i].*kind - readings[i - 1].*kind < LEAK_BYTES * calls) return std::nullopt;
  return (readings.back().*kind - readings.front().*kind) / (calls * BATCHES);
}

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

/** Memory after each of some batches of calls. */
Readings read_after_batches(Device &device, PreparedCase &prepared, std::size_t set, std::int64_t calls_each) {
  Candidate &candidate = prepared.candidate();
  Readings readings{read_memory(device, candidate)};
  for (std::size_t batch = 1; batch < readings.size(); ++batch) {
    for (std::int64_t i = 0; i < calls_each; ++i) prepared.run_once(set);
    readings[batch] = read_memory(device, candidate);
  }
  return readings;
}

/**
 * Calls, and more and more of them while memory grows: what is kept for later fills up at some time, and a leak does
 * not. Says how many there were.
 */
std::int64_t call_and_watch_memory(Device &device, PreparedCase &prepared, std::size_t set, std::int64_t calls_each,
                                   AuditReport &report) {
  std::int64_t calls = 0;
  double grown = 0;
  for (int round = 0;; ++round) {
    const auto started = std::chrono::steady_clock::now();
    const Readings readings = read_after_batches(device, prepared, set, calls_each);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - started;
    const std::string leak = leak_in(readings, calls_each);
    grown += most_growth(readings);
    calls += calls_each * static_cast<std::int64_t>(BATCHES);
    if (leak.empty()) return calls;
    if (round > 0 && (calls >= ENOUGH_CALLS || grown >= ENOUGH_BYTES)) {
      report.found("memory-leaked", leak);
      return calls;
    }
    const std::int64_t times = grown < MUCH_BYTES ? MORE_CALLS : 1;
    if (round > 0 && took.count() * static_cast<double>(times) > MOST_CONFIRMING_MS) {
      report.notes.push_back("memory-leaked: " + leak + ", or is kept for later: the calls take too long to tell");
      return calls;
    }
    calls_each *= times;
  }
}

/** How long calls take on contents they have just seen, in the middle, and at least on others. */
struct ContentTimes {
  double repeated_us;
  double fresh_us;

  // The middle of the one against the least of the other: a load that slows some calls cannot make that up.
  bool recognised() const { return fresh_us > LEAST_CALL_US && repeated_us < RECOGNISED * fresh_us; }
};

ContentTimes time_contents(PreparedCase &prepared, std::size_t set, std::int64_t rounds) {
  const auto timed_us = [&](std::uint64_t key) {
    // The same preparation for both, so that caches and predictors see the same.
    prepared.freshen(set, key);
    prepared.poison_outputs(set);
    // By the clock over there, which a busy machine does not blur; the judge's own holds it to the truth elsewhere.
    return prepared.run(Run::once(set)).inside_ms * 1e3;
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
  Candidate &candidate = prepared.candidate();
  const int pid = candidate.pid();
  const std::int64_t calls_each = std::max<std::int64_t>(1, calls / static_cast<std::int64_t>(BATCHES));
  const long faults = finished_children_faults(pid);
  candidate.output().drain();
  const std::uint64_t printed_before = candidate.output().bytes();
  const std::optional<std::uint64_t> bytes_before = transferred_bytes(pid);
  const std::int64_t made = call_and_watch_memory(device, prepared, set, calls_each, report);
  const std::optional<std::uint64_t> bytes_after = transferred_bytes(pid);
  candidate.output().drain();
  const std::uint64_t printed = candidate.output().bytes() - printed_before;

  if (finished_children_faults(pid) != faults)
    report.found("helper-process", "processes were started and waited for during the calls");
  if (!bytes_before || !bytes_after)
    report.notes.push_back("file-access: this system does not count what a process reads and writes");
  else if (const double each = (static_cast<double>(*bytes_after - *bytes_before) - static_cast<double>(printed)) /
                               static_cast<double>(made);
           each > FILE_BYTES)
    report.found("file-access", "each call reads and writes about " + std::to_string(std::llround(each)) +
                                    " bytes through files, pipes or sockets");
}

void watch_contents(Device &, PreparedCase &prepared, std::size_t set, std::int64_t rounds,
                    AuditReport &report) {
  ContentTimes times = time_contents(prepared, set, rounds);
  // Twice: a machine that is busy with other things can look like anything once.
  if (times.recognised()) times = time_contents(prepared, set, rounds);
  prepared.freshen(set, 0);
  if (!times.recognised()) return;
  char text[160];
  std::snprintf(text, sizeof text, "a call on contents it has just seen takes %.1f us, and at least %.1f us on others",
                times.repeated_us, times.fresh_us);
  report.found("cached-result", text);
}

}  // namespace pawl
