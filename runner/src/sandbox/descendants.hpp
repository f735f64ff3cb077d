#pragma once

#include <sys/types.h>

namespace pawl {

/** Kills all that descends from a process, again and again until nothing new is found; not the process itself. */
void kill_descendants(pid_t root);

}  // namespace pawl
