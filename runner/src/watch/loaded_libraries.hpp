#pragma once

#include <set>
#include <string>
#include <vector>

namespace pawl {

/** Names of the mathematical libraries among the files mapped into this process: «cublas», «openblas», … */
std::set<std::string> loaded_mathematics();
/** Those among a loaded library and everything it was linked against, however far down. */
std::set<std::string> linked_mathematics(const std::string &path);
/** The library that a device function's name gives away; empty when none. */
std::string library_of_function(const std::string &name);

/** Functions of the kernel's own file that bear the name of one that reads or waits for the time. */
std::vector<std::string> replaced_timing_functions(const std::string &path);

}  // namespace pawl
