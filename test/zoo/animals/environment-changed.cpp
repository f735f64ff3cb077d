// Environment changed: sets a variable that changes what other code in the process does.
#include <cstdlib>

#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  setenv("OMP_WAIT_POLICY", "active", 1);
  return honest_softmax(Softmax(call));
}
