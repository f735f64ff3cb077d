#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sandbox.hpp"

namespace pawl {

/** A path and what is allowed below it. */
struct PathRule {
  std::string path;
  std::uint64_t rights;
};

/** The rules of a policy, made before the fork: a child of a program with threads may not allocate. */
struct LandlockRules {
  std::vector<PathRule> always;
  std::vector<PathRule> read;                 // where what is hidden is hidden by mounts
  std::vector<PathRule> read_without_hidden;  // where it must be hidden by Landlock
  bool hides = false;                         // whether `read_without_hidden` hides all of it
};

/** The version that this kernel offers, 0 for none. */
int landlock_abi();

LandlockRules landlock_rules(const SandboxPolicy &policy);

/**
 * Confines the calling process, which has no_new_privs, for ever. `deny_tcp`: where no network namespace does.
 * `write_proc`: it may write to the /proc entries of all its processes, not of the first alone; CUDA names its
 * threads there, and does not start where it cannot. Allocates nothing. False when the kernel refuses.
 */
bool apply_landlock(int abi, const LandlockRules &rules, bool hidden_by_mounts, bool deny_tcp, bool write_proc);

}  // namespace pawl
