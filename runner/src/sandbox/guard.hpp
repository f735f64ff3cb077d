#pragma once

#include <sys/types.h>

namespace pawl {

/**
 * The rest of a guard's life: collects what ends, and when the program ends, when `status_fd`'s other side is
 * closed, or on SIGTERM, ends everything. In a process namespace it is process 1 there, so its own end is
 * everybody's; elsewhere (`namespaced` false) what it inherits as subreaper is killed until nothing is left.
 */
[[noreturn]] void guard(pid_t program, int status_fd, bool namespaced);

}  // namespace pawl
