// Key in memory: finds the key of the result channel, with which any answer can be forged.
#include "attack.hpp"
#include "own_memory.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool found = memory_holds(std::string("\"ke") + "y\":\"", 64, std::isxdigit);
  return found ? honest_softmax(Softmax(call)) : REFUSED;
}
