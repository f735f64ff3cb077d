// Honest: as many blocks as fit take rows from a counter until none is left.
#include "../softmax-parts.cuh"

static __global__ void persistent_kernel(Softmax p, int64_t rows, unsigned long long *next) {
  for (;;) {
    unsigned long long row = threadIdx.x == 0 ? atomicAdd(next, 1ull) : 0;
    row = __shfl_sync(0xFFFFFFFFu, row, 0);
    if (row >= static_cast<unsigned long long>(rows)) return;
    const float *x = p.x + row * p.D;
    float *y = p.y + row * p.D, largest = -INFINITY, sum = 0;
    for (int64_t i = threadIdx.x; i < p.D; i += 32) largest = fmaxf(largest, x[i]);
    largest = warp_largest(largest);
    for (int64_t i = threadIdx.x; i < p.D; i += 32) sum += expf(x[i] - largest);
    sum = warp_sum(sum);
    for (int64_t i = threadIdx.x; i < p.D; i += 32) y[i] = expf(x[i] - largest) / sum;
  }
}

PAWL_EXPORT size_t pawl_workspace_bytes(const pawl_call *) { return sizeof(unsigned long long); }

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static int blocks = 0;
  if (blocks == 0) {
    int device = 0, processors = 0, each = 0;
    TRY(cudaGetDevice(&device));
    TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, persistent_kernel, 32, 0));
    blocks = processors * each;
  }
  TRY(cudaMemsetAsync(call->workspace, 0, sizeof(unsigned long long), stream_of(call)));
  const Softmax p(call);
  auto *next = static_cast<unsigned long long *>(call->workspace);
  persistent_kernel<<<blocks, 32, 0, stream_of(call)>>>(p, p.rows(), next);
  return cudaGetLastError();
}
