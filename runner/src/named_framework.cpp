#include "named_framework.hpp"

#include <sys/stat.h>

#include <cctype>
#include <fstream>

namespace pawl {
namespace {

bool imports(const std::string &line, const std::string &name) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos) return false;
  for (const char *word : {"import ", "from "}) {
    const std::string said = word + name;
    if (line.compare(begin, said.size(), said) != 0) continue;
    const char next = begin + said.size() < line.size() ? line[begin + said.size()] : ' ';
    return std::isalnum(static_cast<unsigned char>(next)) == 0 && next != '_';
  }
  return false;
}

}  // namespace

std::string named_framework(const std::string &module) {
  struct stat found;
  // To open a pipe is to wait for its writer.
  if (stat(module.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return {};
  std::ifstream file(module);
  std::string framework;
  for (std::string line; std::getline(file, line);) {
    // With it, NumPy is imported too.
    if (imports(line, "torch")) return "torch";
    if (imports(line, "numpy")) framework = "numpy";
  }
  return framework;
}

}  // namespace pawl
