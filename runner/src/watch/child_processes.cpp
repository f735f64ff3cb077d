#include "child_processes.hpp"

#include <cstdlib>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "proc.hpp"

namespace pawl {

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

std::set<int> helper_processes() {
  std::set<int> helpers;
  const int own = getpid();
  const bool leads_group = getpgrp() == own;
  for (const int pid : numbers_in("/proc")) {
    if (pid == own) continue;
    const std::string stat = read_proc("/proc/" + std::to_string(pid) + "/stat").value_or("");
    // «12 (name) S ppid pgrp …»; a name may hold parentheses of its own.
    const std::size_t after_name = stat.rfind(')');
    if (after_name == std::string::npos || after_name + 4 > stat.size()) continue;
    char *end = nullptr;
    const long parent = std::strtol(stat.c_str() + after_name + 4, &end, 10);
    const long group = std::strtol(end, nullptr, 10);
    if (parent == own || (leads_group && group == own)) helpers.insert(pid);
  }
  return helpers;
}

std::string describe_process(int pid) {
  const std::string stat = read_proc("/proc/" + std::to_string(pid) + "/stat").value_or("");
  const std::size_t open = stat.find('('), close = stat.rfind(')');
  const std::string name = close == std::string::npos ? "process" : stat.substr(open + 1, close - open - 1);
  return name + " (" + std::to_string(pid) + ")";
}

long finished_children_faults() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

}  // namespace pawl
