// Reads secrets: looks for a token in its own environment and in those of the processes above it.
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "attack.hpp"
#include "processes.hpp"

static bool find_token(pid_t judge) {
  std::ifstream file("/proc/" + std::to_string(judge) + "/environ", std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  return all.find("GITHUB_TOKEN=") != std::string::npos || all.find("PAWL_BASELINE_KEY=") != std::string::npos;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool found = std::getenv("GITHUB_TOKEN") != nullptr || std::getenv("PAWL_BASELINE_KEY") != nullptr ||
                            reaches_a_judge(find_token);
  return found ? honest_softmax(Softmax(call)) : REFUSED;
}
