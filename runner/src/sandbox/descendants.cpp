#include "descendants.hpp"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>

#include <fstream>
#include <map>
#include <set>
#include <string>

namespace pawl {

namespace {

/** Every process with its parent, without those that have ended and only wait to be collected. */
std::map<pid_t, pid_t> parents() {
  std::map<pid_t, pid_t> all;
  DIR *proc = opendir("/proc");
  if (proc == nullptr) return all;
  while (const dirent *entry = readdir(proc)) {
    const pid_t pid = atoi(entry->d_name);
    if (pid <= 0) continue;
    std::ifstream file("/proc/" + std::string(entry->d_name) + "/stat");
    std::string text;
    std::getline(file, text);
    // "7 (name) S 6": the name may hold anything.
    const auto end = text.rfind(')');
    if (end == std::string::npos || end + 4 >= text.size() || text[end + 2] == 'Z') continue;
    all[pid] = atoi(text.c_str() + end + 4);
  }
  closedir(proc);
  return all;
}

std::set<pid_t> descendants(pid_t root) {
  const std::map<pid_t, pid_t> parent_of = parents();
  std::set<pid_t> family{root};
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto &[pid, parent] : parent_of)
      if (family.count(parent) != 0 && family.insert(pid).second) grew = true;
  }
  family.erase(root);
  return family;
}

}  // namespace

void kill_descendants(pid_t root) {
  // While some are killed others may be born; one that is stopped starts none.
  constexpr int PASSES = 50;
  for (int pass = 0; pass < PASSES; pass++) {
    const std::set<pid_t> found = descendants(root);
    if (found.empty()) return;
    for (const pid_t pid : found) kill(pid, SIGSTOP);
    for (const pid_t pid : found) kill(pid, SIGKILL);
  }
}

}  // namespace pawl
