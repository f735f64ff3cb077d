// Honest: launches on the stream it was given.
#include "../softmax-parts.cuh"

PAWL_EXPORT int pawl_run(const pawl_call *call) { return launch_softmax(Softmax(call), stream_of(call)); }
