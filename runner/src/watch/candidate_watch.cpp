#include "candidate_watch.hpp"

#include <algorithm>
#include <cstdlib>

#include "child_processes.hpp"
#include "environment.hpp"
#include "loaded_libraries.hpp"
#include "open_files.hpp"

namespace pawl {
namespace {

std::string listed(const std::vector<std::string> &items) {
  constexpr std::size_t MOST_LISTED = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), MOST_LISTED); ++i) text += (i > 0 ? "; " : "") + items[i];
  if (items.size() > MOST_LISTED) text += "; and " + std::to_string(items.size() - MOST_LISTED) + " more";
  return text;
}

}  // namespace

Facts CandidateWatch::settings_now() {
  // What the process says of itself, and what the system says of its threads.
  Facts facts = candidate_.settings();
  list_cpu_sets(candidate_.pid(), facts);
  device_.list_settings(facts);
  return facts;
}

std::set<int> CandidateWatch::helpers_now() const {
  std::set<int> helpers = descendants(candidate_.guard());
  helpers.erase(candidate_.pid());
  return helpers;
}

void CandidateWatch::before_load() {
  settings_ = settings_now();
  files_ = held_files(candidate_.pid(), candidate_.given());
  helpers_ = helpers_now();
  mathematics_ = mathematics_in(mapped_files(candidate_.pid()));
  if (const char *preloaded = std::getenv("LD_PRELOAD"); preloaded != nullptr && *preloaded != 0)
    load_notes_.push_back(std::string("LD_PRELOAD is set, so functions that read the time may be replaced: ") +
                          preloaded);
}

void CandidateWatch::after_load(const std::string &library) {
  library_ = library;
  std::string replaced;
  if (!library.empty())
    for (const std::string &name : replaced_timing_functions(library)) replaced += (replaced.empty() ? "" : ", ") + name;
  if (!replaced.empty())
    load_findings_.push_back({"timer-tampered", "", "the kernel's library defines functions of its own: " + replaced});
  const Facts now = candidate_.settings();
  // Oracle and reference run in other processes, which none of this reaches.
  accept_arrangements(settings_, now);
  // A library built with -ffast-math flushes denormals from the moment it is loaded: its own affair.
  std::string &control = settings_[FLOATING_POINT];
  if (const auto found = now.find(FLOATING_POINT);
      found != now.end() && found->second != control && only_flushing_differs(control, found->second)) {
    load_notes_.push_back("loading the kernel made its process flush denormal numbers to zero (-ffast-math)");
    control = found->second;
  }
}

void CandidateWatch::compare(std::vector<Tamper> &found, const std::set<std::string> &launched_libraries) {
  const auto say = [&found](const char *detector, const char *what, const std::vector<std::string> &items) {
    if (!items.empty()) found.push_back({detector, "", what + listed(items)});
  };
  say("environment-changed", "", changed_settings(settings_, settings_now()));

  std::vector<std::string> files;
  for (const std::string &file : held_files(candidate_.pid(), candidate_.given()))
    if (files_.count(file) == 0) files.push_back(file);
  say("file-access", "the kernel holds open or shares: ", files);

  std::vector<std::string> helpers;
  for (const int pid : helpers_now())
    if (helpers_.count(pid) == 0) helpers.push_back(describe_process(pid));
  say("helper-process", "the kernel started: ", helpers);

  // A Python kernel may use what it likes; a native one was said to do the work itself.
  if (library_.empty()) return;
  const std::set<std::string> mapped = mapped_files(candidate_.pid());
  std::set<std::string> used = mathematics_in(mapped);
  used.insert(launched_libraries.begin(), launched_libraries.end());
  const std::set<std::string> linked = linked_mathematics(library_, mapped);
  std::vector<std::string> undeclared;
  for (const std::string &library : used)
    if (mathematics_.count(library) == 0 && linked.count(library) == 0) undeclared.push_back(library);
  say("library-fallback", "a library that the kernel is not linked against does work: ", undeclared);
}

}  // namespace pawl
