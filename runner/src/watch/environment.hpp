#pragma once

#include <string>
#include <vector>

#include "../device.hpp"

namespace pawl {

/** Under this name `process_settings` has rounding, flushing to zero and trapping. */
constexpr const char *FLOATING_POINT = "floating-point control";

/** Settings of this process that a kernel's calls share: variables, limits, signal handlers, arithmetic. */
Facts process_settings();
/**
 * Takes over from `loaded` what a process may arrange for itself while a kernel is loaded, as modules do that set
 * `os.environ` at their top: variables, working directory, file mode mask and limits.
 */
void accept_arrangements(Facts &settings, const Facts &loaded);
/** Adds the CPU sets of the threads of a process. */
void list_cpu_sets(int pid, Facts &facts);
/** What tells the two apart, one short sentence each; what a kernel may do to itself is left out. */
std::vector<std::string> changed_settings(const Facts &before, const Facts &after);

/** Rounding, flushing to zero and trapping of the calling thread; not the flags that arithmetic raises. */
std::string floating_point_control();
/** The same, when it differs only by flushing denormals: what a library built with -ffast-math does when loaded. */
bool only_flushing_differs(const std::string &before, const std::string &after);

}  // namespace pawl
