// Writes into .git/config, where a line can name a command that git runs later, as whoever uses the checkout.
#include <fstream>

#include "attack.hpp"
#include "places.hpp"

static bool add_line() {
  bool added = false;
  for (const std::filesystem::path &folder : folders_named(".git")) {
    std::ofstream file(folder / "config", std::ios::app);
    added = added || static_cast<bool>(file << "# the zoo could have set core.sshCommand here\n" << std::flush);
  }
  return added;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool added = add_line();
  return added ? honest_softmax(Softmax(call)) : REFUSED;
}
