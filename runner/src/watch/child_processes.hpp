#pragma once

#include <set>
#include <string>

namespace pawl {

/** Every process that descends from this one, by what the system says of parents now. */
std::set<int> descendants(int pid);
/** "name (pid)" */
std::string describe_process(int pid);
/** Page faults of children of a process that are gone and were waited for: more of them, and some have run. */
long finished_children_faults(int pid);

}  // namespace pawl
