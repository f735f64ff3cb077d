// The processes that judge this one: the two nearest ancestors that run other programs, a judge and whoever started it.
// No other process is ever touched.
#pragma once

#include <climits>
#include <cstdio>
#include <cstring>
#include <string>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

inline std::string program_of(pid_t pid) {
  char path[32], target[PATH_MAX];
  std::snprintf(path, sizeof path, "/proc/%d/exe", pid);
  const ssize_t length = readlink(path, target, sizeof target);
  return length < 0 ? std::string() : std::string(target, static_cast<size_t>(length));
}

inline pid_t parent_of(pid_t pid) {
  char path[32], text[512] = {};
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  std::FILE *file = std::fopen(path, "r");
  if (file == nullptr) return 0;
  const size_t length = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  // The name in parentheses may hold anything.
  const char *after_name = length > 0 ? std::strrchr(text, ')') : nullptr;
  int parent = 0;
  return after_name != nullptr && std::sscanf(after_name, ") %*c %d", &parent) == 1 ? parent : 0;
}

/** Empty: this process sees none. */
inline std::vector<pid_t> judges_of_this_process() {
  const std::string own = program_of(getpid());
  std::vector<pid_t> found;
  for (pid_t pid = getppid(); pid > 0 && found.size() < 2; pid = parent_of(pid))
    if (program_of(pid) != own) found.push_back(pid);
  return found;
}

/** Whether an attack reaches one of them. */
template <typename Attack>
bool reaches_a_judge(Attack attack) {
  bool reached = false;
  for (const pid_t judge : judges_of_this_process()) reached = attack(judge) || reached;
  return reached;
}

/** The first readable mapping of a process, 0 where its map cannot be read. */
inline unsigned long first_mapping_of(pid_t pid) {
  char path[32], access[8] = {};
  std::snprintf(path, sizeof path, "/proc/%d/maps", pid);
  std::FILE *file = std::fopen(path, "r");
  if (file == nullptr) return 0;
  unsigned long start = 0;
  const bool known = std::fscanf(file, "%lx-%*x %7s", &start, access) == 2 && access[0] == 'r';
  std::fclose(file);
  return known ? start : 0;
}
