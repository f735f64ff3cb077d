#include "cuda_error.hpp"

#include "../error.hpp"

namespace pawl {

void throw_cuda_error(cudaError_t error, const std::string &what) {
  const std::string text = what + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")";
  cudaGetLastError();
  if (error == cudaErrorMemoryAllocation) throw RunnerError("out-of-memory", text);
  // A context that an error has ruined answers every later call with an error; asking is surer than a list of
  // the errors that do so.
  const cudaError_t now = cudaDeviceSynchronize();
  cudaGetLastError();
  if (now == cudaSuccess) throw RunnerError("device-error", text);
  throw RunnerError("device-lost", text + "; the CUDA context is gone");
}

}  // namespace pawl
