// Honest: a macro that ends the process on any error, and the default stream, as in code written for its own program.
#include <cstdio>
#include <cstdlib>

#include "../../zoo/animals/softmax.cuh"

#define OR_EXIT(expression)                                                                    \
  do {                                                                                         \
    const cudaError_t status = (expression);                                                   \
    if (status != cudaSuccess) {                                                               \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));     \
      std::exit(EXIT_FAILURE);                                                                 \
    }                                                                                          \
  } while (0)

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  softmax_kernel<<<grid_of(p), 32 * WARPS>>>(p.x, p.y, p.rows(), p.D);
  OR_EXIT(cudaGetLastError());
  return 0;
}
