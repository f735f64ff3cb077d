// A copy in double precision.
#include "pawl_kernel.h"

#include <cuda_runtime.h>

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  return (int)cudaMemcpyAsync(call->tensors[1].data, call->tensors[0].data, call->dims[0].value * sizeof(double),
                              cudaMemcpyDeviceToDevice, (cudaStream_t)call->stream);
}
