// Honest: records a graph on a stream of its own in every call, launches it on the given one, and destroys it.
#include "../softmax-parts.cuh"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static cudaStream_t own = nullptr;
  if (own == nullptr) TRY(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  TRY(cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal));
  const int launched = launch_softmax(Softmax(call), own);
  TRY(cudaStreamEndCapture(own, &graph));
  TRY(static_cast<cudaError_t>(launched));
  TRY(cudaGraphInstantiate(&ready, graph, 0));
  TRY(cudaGraphLaunch(ready, stream_of(call)));
  TRY(cudaGraphExecDestroy(ready));  // after its launch is done
  return cudaGraphDestroy(graph);
}
