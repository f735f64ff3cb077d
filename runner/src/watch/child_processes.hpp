#pragma once

#include <set>
#include <string>
#include <vector>

namespace pawl {

/** Makes orphans of this process's children its own children, so that a helper cannot hide behind its parent's end. */
void adopt_orphans();
/** Processes that descend from this one directly, and others of a process group that this one leads. */
std::set<int> helper_processes();
/** «name (pid)» */
std::string describe_process(int pid);
/** Whether children that are gone by now have run; page faults of waited-for children only grow. */
long finished_children_faults();

}  // namespace pawl
