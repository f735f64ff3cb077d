#pragma once

#include <cuda_runtime.h>

#include "../device.hpp"

namespace pawl {

/** Settings of this process's context that change how fast later calls are. */
void list_cuda_settings(Facts &facts);

}  // namespace pawl
