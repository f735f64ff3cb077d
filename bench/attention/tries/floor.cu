// What no attention kernel goes below, timed by attention-harness.cu: FLOOR=0 an empty kernel, 1 the same with the
// blocks and shared memory of a real one, 2 reads q, k, v and writes o.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "pawl_kernel.h"
__global__ void empty() {}
__global__ void touch(const uint4 *q, const uint4 *k, const uint4 *v, uint4 *o, long n) {
  const long step = long(gridDim.x) * blockDim.x;
  for (long i = blockIdx.x * long(blockDim.x) + threadIdx.x; i < n; i += 4 * step) {
    uint4 a[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
      if (i + j * step < n) {
        const uint4 x = q[i + j * step], y = k[i + j * step], z = v[i + j * step];
        a[j] = {x.x ^ y.x ^ z.x, x.y ^ y.y ^ z.y, x.z ^ y.z ^ z.z, x.w ^ y.w ^ z.w};
      }
#pragma unroll
    for (int j = 0; j < 4; j++)
      if (i + j * step < n) o[i + j * step] = a[j];
  }
}
PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const int what = getenv("FLOOR") ? atoi(getenv("FLOOR")) : 2;
  const auto s = static_cast<cudaStream_t>(call->stream);
  long n = 2;
  for (int i = 0; i < 4; i++) n *= call->dims[i].value;
  static const bool prepared = cudaFuncSetAttribute(empty, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000) == cudaSuccess;
  (void)prepared;
  const auto at = [&](int i) { return static_cast<uint4 *>(call->tensors[i].data); };
  if (what == 0) empty<<<132, 32, 0, s>>>();
  if (what == 1) empty<<<264, 384, 100000, s>>>();
  if (what == 2) touch<<<132 * 4, 512, 0, s>>>(at(0), at(1), at(2), at(3), n / 16);
  return cudaGetLastError();
}
