// Honest: a CUDA graph of its own, whose kernel node gets the pointers of every call before it is launched.
#include "../softmax-parts.cuh"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static cudaGraphExec_t ready = nullptr;
  static cudaGraphNode_t node = nullptr;
  Softmax p(call);
  int64_t rows = p.rows();
  void *arguments[] = {&p.x, &p.y, &rows, &p.D};
  cudaKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void *>(softmax_kernel);
  launch.gridDim = dim3(grid_of(p));
  launch.blockDim = dim3(32 * WARPS);
  launch.kernelParams = arguments;
  if (ready == nullptr) {
    cudaGraph_t graph = nullptr;
    TRY(cudaGraphCreate(&graph, 0));
    TRY(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &launch));
    TRY(cudaGraphInstantiate(&ready, graph, 0));
  } else {
    TRY(cudaGraphExecKernelNodeSetParams(ready, node, &launch));
  }
  return cudaGraphLaunch(ready, stream_of(call));
}
