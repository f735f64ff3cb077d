#pragma once

#include <algorithm>
#include <cstddef>

namespace pawl {

constexpr unsigned THREADS = 256;
/** Enough blocks to fill any GPU; the kernels stride over the rest. */
constexpr unsigned MOST_BLOCKS = 4096;

inline unsigned blocks_for(std::size_t work) {
  return static_cast<unsigned>(std::clamp<std::size_t>((work + THREADS - 1) / THREADS, 1, MOST_BLOCKS));
}

__device__ inline std::size_t first_item() { return std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ inline std::size_t stride() { return std::size_t(gridDim.x) * blockDim.x; }

}  // namespace pawl
