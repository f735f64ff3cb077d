#pragma once

#include <cuda_runtime.h>

#include "../device.hpp"

namespace pawl {

/** Settings of a device and its context that change how fast later work is, ours and other kernels'. */
void list_cuda_settings(int device, cudaStream_t stream, Facts &facts);

}  // namespace pawl
