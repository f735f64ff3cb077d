#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pawl {

/** A file of /proc, whole; absent where it cannot be read. Not for use where memory is being counted. */
std::optional<std::string> read_proc(const std::string &path);
/** Numbered entries of a folder of /proc: processes, threads, descriptors. */
std::vector<int> numbers_in(const std::string &folder);
/** Non-empty lines. */
std::vector<std::string> lines_of(const std::string &text);

}  // namespace pawl
