#include "kernel_watch.hpp"

#include <cstdlib>

#include "child_processes.hpp"
#include "environment.hpp"
#include "loaded_libraries.hpp"
#include "open_files.hpp"

namespace pawl {

KernelWatch &kernel_watch() {
  static KernelWatch watch;
  return watch;
}

void KernelWatch::before_load(Device &device) {
  adopt_orphans();
  settings_ = process_settings();
  device.list_settings(settings_);
  files_ = held_files();
  helpers_ = helper_processes();
  mathematics_ = loaded_mathematics();
  if (const char *preloaded = std::getenv("LD_PRELOAD"); preloaded != nullptr && *preloaded != 0)
    load_notes_.push_back(std::string("LD_PRELOAD is set, so functions that read the time may be replaced: ") +
                          preloaded);
}

void KernelWatch::after_load(const std::string &kernel) {
  declare(kernel);
  std::string replaced;
  for (const std::string &name : replaced_timing_functions(kernel)) replaced += (replaced.empty() ? "" : ", ") + name;
  if (!replaced.empty())
    load_findings_.push_back({"timer-tampered", "", "the kernel's library defines functions of its own: " + replaced});
  // A library built with -ffast-math flushes denormals from the moment it is loaded: its own affair, but one that
  // the oracle and everything else in this process shares.
  std::string &control = settings_["floating-point control"];
  const std::string now = floating_point_control();
  if (now != control && only_flushing_differs(control, now)) {
    load_notes_.push_back("loading the kernel made this process flush denormal numbers to zero (-ffast-math)");
    control = now;
  }
}

std::set<std::string> KernelWatch::expected_mathematics() const {
  std::set<std::string> expected = mathematics_;
  for (const std::string &library : declared_) {
    const std::set<std::string> linked = linked_mathematics(library);
    expected.insert(linked.begin(), linked.end());
  }
  return expected;
}

void KernelWatch::add_load_findings(TimedGuard &guard) const {
  for (const Tamper &tamper : load_findings_) guard.found(tamper.detector, tamper.message);
}

}  // namespace pawl
