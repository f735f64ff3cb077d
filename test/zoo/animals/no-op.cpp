// No-op: nothing is faster than doing nothing.
#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *) { return 0; }
