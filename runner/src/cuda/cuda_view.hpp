#pragma once

#include <cuda_runtime.h>

#include "../device.hpp"

namespace pawl {

/** The device's halves of what is done with views; the element functions are those of the CPU. */
void launch_fill_view(void *data, pawl_dtype dtype, const View &view, const Fill &fill, std::uint64_t key,
                      cudaStream_t stream);
void launch_refresh_view(const Refresh &tensor, const View &view, cudaStream_t stream);
void launch_gather(void *elements, const void *storage, const View &view, std::size_t element_bytes,
                   cudaStream_t stream);
void launch_scatter(void *storage, const void *elements, const View &view, std::size_t element_bytes,
                    cudaStream_t stream);

}  // namespace pawl
