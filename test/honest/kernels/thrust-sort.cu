// Honest: thrust::sort on the default stream, which allocates inside and waits at its end.
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const int64_t N = dim(call, 0);
  float *y = tensor<float>(call, 1);
  if (const cudaError_t status = cudaMemcpy(y, tensor<float>(call, 0), static_cast<size_t>(N) * sizeof(float),
                                            cudaMemcpyDeviceToDevice))
    return status;
  thrust::sort(thrust::device, y, y + N);
  return cudaGetLastError();
}
