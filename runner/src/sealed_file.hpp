#pragma once

#include <string>

namespace pawl {

/**
 * A copy of a file in memory that can no longer be changed, as a descriptor. What is loaded is then what was hashed,
 * whatever becomes of the file. Throws `load-failed` where it cannot be read or does not hash to `expected`, if given.
 */
int open_sealed(const std::string &path, const std::string &expected);

}  // namespace pawl
