// Writes its own library: the file that was hashed is not the file that the next process loads.
#include <fstream>

#include "attack.hpp"
#include "places.hpp"

static bool grow() {
  std::ofstream file(own_library(), std::ios::binary | std::ios::app | std::ios::ate);
  return file && file.tellp() > 0 && file.put('\0').flush();
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool grown = grow();
  return grown ? honest_softmax(Softmax(call)) : REFUSED;
}
