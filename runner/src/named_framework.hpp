#pragma once

#include <string>

namespace pawl {

/**
 * The framework that a Python module says it imports, read and not run: its process can then be a copy from the first
 * one on (warm_python.hpp). Nothing where it does not say; a wrong guess costs an import.
 */
std::string named_framework(const std::string &module);

}  // namespace pawl
