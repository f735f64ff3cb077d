#pragma once

#include <string>
#include <vector>

namespace pawl {

/**
 * The environment of a confined program: of this process's variables only those that say where programs,
 * libraries and devices are and how many threads to use (so no token, key or path of Pawl's), and the home,
 * temporary and cache folders of what is known to write some, all in `scratch`.
 */
std::vector<std::string> clean_environment(const std::string &scratch);

}  // namespace pawl
