#pragma once

#include <set>
#include <string>
#include <vector>

#include "../device.hpp"
#include "../timed_guard.hpp"
#include "host_clock.hpp"
#include "sleep_watch.hpp"

namespace pawl {

/** What was true of this process before it held any kernel code, so that it can be compared later. */
class KernelWatch {
 public:
  KernelWatch() = default;
  KernelWatch(const KernelWatch &) = delete;
  KernelWatch &operator=(const KernelWatch &) = delete;

  /** The device is ready, and no kernel code has run. */
  void before_load(Device &device);
  void after_load(const std::string &kernel);
  /** A library that Pawl loads on purpose, beside the kernel: what it is linked against is no fall-back. */
  void declare(const std::string &library) { declared_.insert(library); }

  const Facts &settings() const { return settings_; }
  const std::set<std::string> &files() const { return files_; }
  const std::set<int> &helpers() const { return helpers_; }
  /** Mathematical libraries that were there before, or that a declared library is linked against. */
  std::set<std::string> expected_mathematics() const;
  const HostClock &clock() const { return clock_; }
  /** Every call that is not timed, since the kernel was loaded. */
  SleepWatch &calls() { return calls_; }

  /** What loading the kernel showed: findings of every check and every series. */
  const std::vector<Tamper> &load_findings() const { return load_findings_; }
  const std::vector<std::string> &load_notes() const { return load_notes_; }
  void add_load_findings(TimedGuard &guard) const;

 private:
  Facts settings_;
  std::set<std::string> files_;
  std::set<int> helpers_;
  std::set<std::string> mathematics_;
  std::set<std::string> declared_;
  HostClock clock_;
  SleepWatch calls_;
  std::vector<Tamper> load_findings_;
  std::vector<std::string> load_notes_;
};

/** One process, one kernel, one watch. */
KernelWatch &kernel_watch();

}  // namespace pawl
