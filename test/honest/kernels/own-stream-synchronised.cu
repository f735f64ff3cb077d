// Honest: works on a non-blocking stream of its own between two waits of the host, as code without a given stream does.
#include "../softmax-parts.cuh"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static cudaStream_t own = nullptr;
  if (own == nullptr) TRY(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  TRY(cudaStreamSynchronize(stream_of(call)));
  TRY(static_cast<cudaError_t>(launch_softmax(Softmax(call), own)));
  return cudaStreamSynchronize(own);
}
