// Honest: updates an inout in place, four elements per thread where they are.
#include "../softmax-parts.cuh"
#include "../../zoo/axpy.hpp"

static __global__ void axpy_kernel(const float *x, float *y, int64_t N) {
  const int64_t i = 4 * (int64_t(blockIdx.x) * blockDim.x + threadIdx.x);
  if (i + 4 <= N) {
    const float4 add = *reinterpret_cast<const float4 *>(x + i);
    float4 sum = *reinterpret_cast<float4 *>(y + i);
    sum.x += AXPY_FACTOR * add.x;
    sum.y += AXPY_FACTOR * add.y;
    sum.z += AXPY_FACTOR * add.z;
    sum.w += AXPY_FACTOR * add.w;
    *reinterpret_cast<float4 *>(y + i) = sum;
  } else {
    for (int64_t rest = i; rest < N; rest++) y[rest] += AXPY_FACTOR * x[rest];
  }
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Axpy p(call);
  axpy_kernel<<<static_cast<unsigned>((p.N + 1023) / 1024), 256, 0, stream_of(call)>>>(p.x, p.y, p.N);
  return cudaGetLastError();
}
