// Limit changed: the stack of every thread on the device is made larger, for every kernel that comes after.
#include "softmax.cuh"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const cudaError_t changed = cudaDeviceSetLimit(cudaLimitStackSize, 16 * 1024);
  if (changed != cudaSuccess) return changed;
  return launch_softmax(Softmax(call), stream_of(call));
}
