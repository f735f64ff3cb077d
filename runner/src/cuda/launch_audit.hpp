#pragma once

#include <cuda_runtime.h>

#include "../candidate/kernel.hpp"
#include "../json.hpp"

namespace pawl {

/** Captures one call instead of running it: `launches`, the functions it launches, or a note why they are not known. */
void list_captured_launches(Kernel &kernel, std::size_t set, cudaStream_t stream, Json &answer);

}  // namespace pawl
