#pragma once

#include <set>
#include <string>
#include <vector>

#include "../candidate.hpp"
#include "../device.hpp"
#include "../tamper.hpp"
#include "sleep_watch.hpp"

namespace pawl {

/** What was true of the candidate's process before it held any kernel code, so that it can be compared later. */
class CandidateWatch {
 public:
  CandidateWatch(Device &device, Candidate &candidate) : device_(device), candidate_(candidate) {}
  CandidateWatch(const CandidateWatch &) = delete;
  CandidateWatch &operator=(const CandidateWatch &) = delete;

  void before_load();
  /** `library` is empty for a kernel that is not one. */
  void after_load(const std::string &library);

  /** Findings of all settings, files and processes that are not as they were. */
  void compare(std::vector<Tamper> &found, const std::set<std::string> &launched_libraries);
  /** Every call that is not timed, since the kernel was loaded. */
  SleepWatch &calls() { return calls_; }

  /** What loading the kernel showed: findings of every check and every series. */
  const std::vector<Tamper> &load_findings() const { return load_findings_; }
  const std::vector<std::string> &load_notes() const { return load_notes_; }

 private:
  Device &device_;
  Candidate &candidate_;
  std::string library_;
  Facts settings_;
  std::set<std::string> files_;
  std::set<int> helpers_;
  std::set<std::string> mathematics_;
  SleepWatch calls_;
  std::vector<Tamper> load_findings_;
  std::vector<std::string> load_notes_;

  Facts settings_now();
  std::set<int> helpers_now() const;
};

}  // namespace pawl
