#include "process_watch.hpp"

#include <algorithm>

#include <unistd.h>

namespace pawl {
namespace {

bool holds(const std::vector<int> &pids, int pid) { return std::find(pids.begin(), pids.end(), pid) != pids.end(); }

}  // namespace

ProcessWatch::ProcessWatch(const NvmlDevice &device)
    : device_(device), before_(device.compute_pids().value_or(std::vector<int>())) {}

void ProcessWatch::context_made() {
  if (has_context_) return;
  has_context_ = true;
  const std::vector<int> after = device_.compute_pids().value_or(std::vector<int>());
  if (holds(after, getpid())) return;
  std::vector<int> appeared;
  for (const int pid : after)
    if (!holds(before_, pid)) appeared.push_back(pid);
  if (appeared.size() == 1) alias_ = appeared.front();
  // The context was there before this watch (a framework made it), and no other process is on the device.
  else if (after.size() == 1) alias_ = after.front();
}

void ProcessWatch::candidate_started(const std::vector<int> &before) {
  for (const int pid : processes())
    if (!holds(before, pid) && !holds(candidates_, pid)) candidates_.push_back(pid);
}

std::optional<std::vector<int>> ProcessWatch::foreign_pids() const {
  std::optional<std::vector<int>> pids = device_.compute_pids();
  if (!pids) return pids;
  const int own = alias_.value_or(static_cast<int>(getpid()));
  pids->erase(std::remove_if(pids->begin(), pids->end(),
                             [&](int pid) { return pid == own || holds(candidates_, pid); }),
              pids->end());
  return pids;
}

}  // namespace pawl
