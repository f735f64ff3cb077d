#pragma once

#include <sys/types.h>

namespace pawl {

/** What the filter that is installed before a program starts must know. */
struct CallPolicy {
  bool processes = false;
  bool network = false;
  bool own_network = false;  // a network namespace of its own
  // Without a process namespace these are within reach, and must not be signalled; 0: none.
  pid_t guard = 0;
  pid_t parent = 0;
};

/**
 * Installs the filter: no debugging of other processes, no mounting, no namespaces, no page faults handled by
 * the program, and as the policy says no processes and no network. A refused call answers EPERM or ENOSYS.
 * Allocates nothing. The calling process has no_new_privs. False when the kernel refuses.
 */
bool apply_seccomp(const CallPolicy &policy);

}  // namespace pawl
