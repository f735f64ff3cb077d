#pragma once

#include <string>
#include <vector>

#include "../device.hpp"

namespace pawl {

/** Settings of this process that a kernel shares with everything that is measured: variables, limits, CPU set. */
Facts process_settings();
/** What tells the two apart, one short sentence each; what a kernel may do to itself is left out. */
std::vector<std::string> changed_settings(const Facts &before, const Facts &after);

/** Rounding, flushing to zero and trapping of the calling thread; not the flags that arithmetic raises. */
std::string floating_point_control();
/** The same, when it differs only by flushing denormals: what a library built with -ffast-math does when loaded. */
bool only_flushing_differs(const std::string &before, const std::string &after);

}  // namespace pawl
