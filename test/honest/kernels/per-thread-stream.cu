// Honest: launches on the per-thread default stream, by name and without one.
#include "../softmax-parts.cuh"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  TRY(static_cast<cudaError_t>(launch_part(p, 0, 2, cudaStreamPerThread)));
  const Softmax upper = part_of(p, 1, 2);
  if (upper.S == 0) return 0;
  softmax_kernel<<<grid_of(upper), 32 * WARPS>>>(upper.x, upper.y, upper.rows(), upper.D);
  return cudaGetLastError();
}
