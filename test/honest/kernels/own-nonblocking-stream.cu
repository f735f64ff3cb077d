// Honest: works on a non-blocking stream of high priority, which waits for the given one and is waited for.
#include "../softmax-parts.cuh"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static cudaStream_t own = nullptr;
  static const cudaEvent_t forked = make_event(), joined = make_event();
  if (own == nullptr) {
    int least = 0, greatest = 0;
    TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    TRY(cudaStreamCreateWithPriority(&own, cudaStreamNonBlocking, greatest));
  }
  TRY(cudaEventRecord(forked, stream_of(call)));
  TRY(cudaStreamWaitEvent(own, forked));
  TRY(static_cast<cudaError_t>(launch_softmax(Softmax(call), own)));
  TRY(cudaEventRecord(joined, own));
  return cudaStreamWaitEvent(stream_of(call), joined);
}
