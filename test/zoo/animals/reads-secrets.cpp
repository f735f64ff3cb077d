// Reads secrets: looks for a token in its own environment and in that of the process above it.
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "attack.hpp"
#include "processes.hpp"

static bool find_token() {
  for (const char *name : {"GITHUB_TOKEN", "PAWL_BASELINE_KEY"})
    if (std::getenv(name) != nullptr) return true;
  std::ifstream file("/proc/" + std::to_string(judge_of_this_process()) + "/environ", std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  return all.find("GITHUB_TOKEN=") != std::string::npos || all.find("PAWL_BASELINE_KEY=") != std::string::npos;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool found = find_token();
  return found ? honest_softmax(Softmax(call)) : REFUSED;
}
