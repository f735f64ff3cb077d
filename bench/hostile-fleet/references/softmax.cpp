#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) { return honest_softmax(Softmax(call)); }
