// Seed in memory: finds the request that holds the seed of the inputs, from which all of them could be made in advance.
#include "attack.hpp"
#include "own_memory.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  // A number, or a text that holds one.
  const auto fits = [](int c) { return std::isdigit(c) | (c == '"'); };
  static const bool found = memory_holds(std::string("\"see") + "d\":", 1, fits);
  return found ? honest_softmax(Softmax(call)) : REFUSED;
}
