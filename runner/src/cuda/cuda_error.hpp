#pragma once

#include <cuda_runtime.h>

#include <string>

namespace pawl {

/** Throws `out-of-memory`, `device-error`, or `device-lost` when the context is gone with the error. */
[[noreturn]] void throw_cuda_error(cudaError_t error, const std::string &what);

inline void check_cuda(cudaError_t error, const char *call) {
  if (error != cudaSuccess) throw_cuda_error(error, call);
}

}  // namespace pawl

#define PAWL_CUDA(call) ::pawl::check_cuda((call), #call)
