#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sandbox.hpp"

namespace pawl {

/**
 * A child that a profiler or sanitizer around this process follows: started by the C library's `fork` and `execve`, which
 * such tools intercept, without a guard between the two and with every descriptor that the tool opened. Nothing confines
 * it. Otherwise as `spawn_confined`; `end_confined` ends it.
 */
Spawned spawn_followed(const std::vector<std::string> &argv, const std::vector<std::string> &env,
                       const std::string &cwd, const std::vector<std::pair<int, int>> &keep);

}  // namespace pawl
