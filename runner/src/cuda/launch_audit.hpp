#pragma once

#include <cuda_runtime.h>

#include "../audit.hpp"

namespace pawl {

/**
 * Captures one call instead of running it: which functions it launches, and whether what it puts on its own stream
 * is all of its work. A call that cannot be captured is noted.
 */
void audit_captured_call(Device &device, PreparedCase &prepared, std::size_t set, cudaStream_t stream,
                         AuditReport &report);

}  // namespace pawl
