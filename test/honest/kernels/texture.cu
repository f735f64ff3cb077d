// Honest: reads its input through a texture object that it makes in every call, and destroys when the stream is done.
#include "../softmax-parts.cuh"
#include "../../zoo/axpy.hpp"

static __global__ void axpy_kernel(cudaTextureObject_t x, float *y, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) y[i] += AXPY_FACTOR * tex1Dfetch<float>(x, static_cast<int>(i));
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Axpy p(call);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<float *>(p.x);
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = static_cast<size_t>(p.N) * sizeof(float);
  cudaTextureDesc reading = {};
  reading.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  TRY(cudaCreateTextureObject(&texture, &resource, &reading, nullptr));
  axpy_kernel<<<static_cast<unsigned>((p.N + 255) / 256), 256, 0, stream_of(call)>>>(texture, p.y, p.N);
  TRY(cudaGetLastError());
  TRY(cudaStreamSynchronize(stream_of(call)));
  return cudaDestroyTextureObject(texture);
}
