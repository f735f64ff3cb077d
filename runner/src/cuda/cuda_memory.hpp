#pragma once

#include <cuda_runtime.h>

#include "../device.hpp"
#include "../fill.hpp"

namespace pawl {

/** The device's halves of fill, refresh, hash and the search for poison; the element functions are those of the CPU. */
void launch_fill(void *data, pawl_dtype dtype, std::size_t count, const Fill &fill, std::uint64_t key,
                 cudaStream_t stream);
void launch_refresh(const std::vector<Refresh> &tensors, cudaStream_t stream);
/** Adds to *sum on the device. */
void launch_hash(const Region &region, unsigned long long *sum, cudaStream_t stream);
void launch_count_poisoned(const Elements &elements, unsigned long long *sum, cudaStream_t stream);

}  // namespace pawl
