// Honest: the rows on eight streams, each forked from the caller's by an event and joined again.
#include <algorithm>

#include "softmax.cuh"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  constexpr int STREAMS = 8;
  static cudaStream_t streams[STREAMS] = {};
  static cudaEvent_t forked = nullptr, joined[STREAMS] = {};
  if (forked == nullptr) {
    for (int i = 0; i < STREAMS; i++) {
      if (const cudaError_t status = cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking)) return status;
      if (const cudaError_t status = cudaEventCreateWithFlags(&joined[i], cudaEventDisableTiming)) return status;
    }
    if (const cudaError_t status = cudaEventCreateWithFlags(&forked, cudaEventDisableTiming)) return status;
  }
  const Softmax p(call);
  const int64_t share = (p.rows() + STREAMS - 1) / STREAMS;
  if (const cudaError_t status = cudaEventRecord(forked, stream_of(call))) return status;
  for (int i = 0; i < STREAMS; i++) {
    const int64_t first = i * share, rows = std::min(share, p.rows() - first);
    if (rows <= 0) continue;
    if (const cudaError_t status = cudaStreamWaitEvent(streams[i], forked)) return status;
    // As if the work were long.
    spin_kernel<<<1, 1, 0, streams[i]>>>(400000);
    softmax_kernel<<<grid_of(p), 32 * WARPS, 0, streams[i]>>>(p.x + first * p.D, p.y + first * p.D, rows, p.D);
    if (const cudaError_t status = cudaEventRecord(joined[i], streams[i])) return status;
    if (const cudaError_t status = cudaStreamWaitEvent(stream_of(call), joined[i])) return status;
  }
  return cudaGetLastError();
}
