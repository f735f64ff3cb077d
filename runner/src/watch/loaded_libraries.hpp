#pragma once

#include <set>
#include <string>
#include <vector>

namespace pawl {

/** Files that are mapped into a process, each once. */
std::set<std::string> mapped_files(int pid);
/** Names of the mathematical libraries among files: "cublas", "openblas", … */
std::set<std::string> mathematics_in(const std::set<std::string> &files);
/** Those that a library was linked against, however far down, among the files that are mapped. */
std::set<std::string> linked_mathematics(const std::string &path, const std::set<std::string> &mapped);
/** The library that a device function's name gives away; empty when none. */
std::string library_of_function(const std::string &name);

/** Functions of the kernel's own file that bear the name of one that reads or waits for the time. */
std::vector<std::string> replaced_timing_functions(const std::string &path);

}  // namespace pawl
