#pragma once

#include <string>

namespace pawl {

/**
 * Takes what a candidate that has ended compiled (`runner/python/pawl_extension`) over into a folder that candidates can
 * only read. The folder is for kernels of the same contents alone: what one leaves there, no other gets.
 */
void keep_objects(const std::string &scratch, const std::string &folder);

}  // namespace pawl
