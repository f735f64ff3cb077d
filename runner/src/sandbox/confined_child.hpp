#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "landlock.hpp"
#include "namespaces.hpp"

namespace pawl {

/** Everything that the child needs, made before the fork: a child of a program with threads may not allocate. */
struct ChildPlan {
  // Protections that shall be tried.
  bool no_new_privs, landlock, seccomp, netns, mountns, ipcns, rlimits;
  bool userns = false, pidns = false;  // of this attempt
  bool devices, processes, network;
  std::uint64_t memory_bytes;
  int landlock_version;
  LandlockRules rules;
  MountPlan mounts;
  std::vector<char *> argv, env;  // null-terminated; argv holds nothing else when only the protections are asked for
  bool continues = false;         // no program is run: the forked process is it
  bool capabilities = false;      // are kept
  std::string cwd;
  std::vector<std::pair<int, int>> keep;  // the second numbers ascend
  std::vector<int> kept;                  // room for the child's numbers and its report, ascending
  uid_t user;
  gid_t group;
  pid_t parent;
  int report_fd, status_fd;
};

/**
 * The forked child's life: makes the guard and, from it, the program. Writes one line to `report_fd` per
 * protection in force; "retry" when this attempt's namespaces are unusable; "failed STEP ERRNO" when the program
 * cannot be run. Returns, confined, only in a program that `continues`.
 */
void confined_child(ChildPlan &plan);

}  // namespace pawl
