#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace pawl {

/** Maps the calling process's own user and group to themselves in its new user namespace. Allocates nothing. */
bool map_own_user(uid_t user, gid_t group);

/** Brings the loopback device of a new network namespace up: some libraries talk to themselves. */
void raise_loopback();

/** What is done to the file systems that a confined process sees. */
struct MountPlan {
  bool own_processes = false;  // a /proc of its own
  bool own_shared_memory = false;
  bool read_only = false;  // all but `writable`: where Landlock is missing
  std::vector<std::string> hidden;
  std::vector<std::string> writable;
};

struct MountResult {
  bool hidden = true;      // all of `hidden`
  bool read_only = false;
  bool proc_is_safe = false;  // /proc shows its own processes only, and the machine's settings there are read-only
};

/** In a new mount namespace. Allocates nothing. */
MountResult change_mounts(const MountPlan &plan);

/** Gives up all capabilities, for programs that will be run too. Allocates nothing. */
bool drop_capabilities();

}  // namespace pawl
