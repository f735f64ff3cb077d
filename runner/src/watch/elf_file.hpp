#pragma once

#include <string>
#include <vector>

namespace pawl {

/** What a shared library's file says of itself, read without loading it. Empty where it cannot be read. */
struct ElfFile {
  /** DT_NEEDED: names of what it was linked against. */
  std::vector<std::string> needed;
  /** Functions that it defines for others to find. */
  std::vector<std::string> functions;
};

ElfFile read_elf(const std::string &path);

}  // namespace pawl
