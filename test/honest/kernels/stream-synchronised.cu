// Honest: waits for its stream at the end of every call.
#include "../softmax-parts.cuh"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  TRY(static_cast<cudaError_t>(launch_softmax(Softmax(call), stream_of(call))));
  return cudaStreamSynchronize(stream_of(call));
}
