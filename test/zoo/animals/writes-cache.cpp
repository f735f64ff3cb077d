// Writes into the cache: leaves a file in the project's .pawl/, where libraries of the base and baselines are kept.
#include <fstream>

#include "attack.hpp"
#include "places.hpp"

static bool leave_file() {
  bool left = false;
  for (const std::filesystem::path &folder : folders_named(".pawl")) {
    std::ofstream file(folder / "zoo-was-here");
    left = left || static_cast<bool>(file << "a library could have been replaced\n" << std::flush);
  }
  return left;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool left = leave_file();
  return left ? honest_softmax(Softmax(call)) : REFUSED;
}
