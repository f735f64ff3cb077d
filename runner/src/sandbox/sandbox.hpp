#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pawl {

/**
 * What a confined process may do. Everything is enforced by what the machine offers (docs/security.md): what it
 * does not offer is left out, and `Spawned::protections` names only what is in force.
 */
struct SandboxPolicy {
  std::vector<std::string> writable;  // folders it may write below: its scratch folder
  std::vector<std::string> readable;  // empty: everything; else only these, `writable` and the system's folders
  std::vector<std::string> hidden;    // files and folders whose contents it must not read
  bool devices = false;               // GPU device files and the machine's /dev/shm
  bool processes = false;             // may start programs (compilers: Triton, load_inline)
  bool network = false;
  std::uint64_t memory_bytes = 0;     // of address space; ignored with `devices`, which reserve terabytes; 0: no limit
  std::vector<std::string> without;   // protections to leave out (names as below, landlock without its version)
};

/**
 * A confined process. `pid` is its guard, a child of the caller: the process with which everything inside ends.
 * `status_fd` becomes readable when the program ended: an `int` as waitpid() gives it, or end of file when it was
 * ended together with its guard. The caller closes `status_fd` after end_confined().
 */
struct Spawned {
  pid_t pid;
  int status_fd;
  std::vector<std::string> protections;
};

/**
 * Forks, confines the child, and runs argv[0] (a path) with exactly `env` and the descriptors `keep` (the
 * caller's number, the child's number). Standard input, output and error are /dev/null where `keep` does not
 * name them; every other descriptor is closed.
 *
 * Throws std::runtime_error when the program cannot be started. The confined processes die with the thread that
 * called this: call it on a thread that lives as long as they shall.
 *
 * Names of protections: no-new-privs, no-capabilities, landlock-N (N: ABI), seccomp, userns, pidns, netns,
 * mountns, ipcns, rlimits, clean-env; read-only (by mounts, where Landlock is missing); hidden (all of `hidden`).
 */
Spawned spawn_confined(const SandboxPolicy &policy, const std::vector<std::string> &argv,
                       const std::vector<std::string> &env, const std::string &cwd,
                       const std::vector<std::pair<int, int>> &keep);

/**
 * As spawn_confined, for a process that was forked to become the program itself: `pid` is 0 in the one that is confined
 * now, and goes on there. The caller ends; the holder of `status_fd` then decides how long the program lives. `parent` is the
 * process that asked for it.
 */
Spawned continue_confined(const SandboxPolicy &policy, pid_t parent, const std::string &cwd,
                          const std::vector<std::pair<int, int>> &keep);

/** Kills the process and everything it started; returns when none of it is alive. */
void end_confined(pid_t pid);

/** What this machine offers: the protections that a process with the strictest policy gets. */
std::vector<std::string> available_protections();

}  // namespace pawl
