// Honest: puts its parameters into constant memory in every call (cudaMemcpyToSymbolAsync).
#include "../softmax-parts.cuh"
#include "../../zoo/axpy.hpp"

struct Parameters {
  int64_t N;
  float factor;
};

static __constant__ Parameters parameters;

static __global__ void axpy_kernel(const float *x, float *y) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < parameters.N) y[i] += parameters.factor * x[i];
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Axpy p(call);
  static Parameters now;  // outlives the call: a graph that this is recorded into reads it again
  now = {p.N, AXPY_FACTOR};
  TRY(cudaMemcpyToSymbolAsync(parameters, &now, sizeof now, 0, cudaMemcpyHostToDevice, stream_of(call)));
  axpy_kernel<<<static_cast<unsigned>((p.N + 255) / 256), 256, 0, stream_of(call)>>>(p.x, p.y);
  return cudaGetLastError();
}
