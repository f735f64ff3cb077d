// Honest: allocates scratch memory on the stream in every call (cudaMallocAsync), and frees it there.
#include "../softmax-parts.cuh"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  const size_t bytes = static_cast<size_t>(p.count()) * sizeof(float);
  Softmax inside = p;
  TRY(cudaMallocAsync(&inside.y, bytes, stream_of(call)));
  TRY(static_cast<cudaError_t>(launch_softmax(inside, stream_of(call))));
  TRY(cudaMemcpyAsync(p.y, inside.y, bytes, cudaMemcpyDeviceToDevice, stream_of(call)));
  return cudaFreeAsync(inside.y, stream_of(call));
}
