// Honest: makes a stream and events in every call, joins the stream, and destroys them.
#include "../softmax-parts.cuh"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  cudaStream_t own = nullptr;
  TRY(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  const cudaEvent_t forked = make_event(), joined = make_event();
  TRY(cudaEventRecord(forked, stream_of(call)));
  TRY(cudaStreamWaitEvent(own, forked));
  TRY(static_cast<cudaError_t>(launch_softmax(Softmax(call), own)));
  TRY(cudaEventRecord(joined, own));
  TRY(cudaStreamWaitEvent(stream_of(call), joined));
  TRY(cudaEventDestroy(forked));
  TRY(cudaEventDestroy(joined));
  return cudaStreamDestroy(own);  // its work goes on; the memory is given back when that is done
}
