// Honest: no kernel at all, one cudaMemcpyAsync.
#include <cuda_runtime.h>

#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  return cudaMemcpyAsync(tensor<float>(call, 1), tensor<float>(call, 0),
                         static_cast<size_t>(dim(call, 0)) * sizeof(float), cudaMemcpyDeviceToDevice,
                         static_cast<cudaStream_t>(call->stream));
}
