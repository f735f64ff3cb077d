#include "cuda_memory.hpp"

#include <algorithm>

#include "cuda_error.hpp"

namespace pawl {
namespace {

constexpr unsigned THREADS = 256;

/** Enough blocks to fill any GPU; the kernels stride over the rest. */
unsigned blocks_for(std::size_t work) {
  return static_cast<unsigned>(std::clamp<std::size_t>((work + THREADS - 1) / THREADS, 1, 4096));
}

__device__ std::size_t first_item() { return std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ std::size_t stride() { return std::size_t(gridDim.x) * blockDim.x; }

__global__ void fill_kernel(void *data, pawl_dtype dtype, std::size_t count, Fill fill, std::uint64_t key) {
  for (std::size_t pair = first_item(); pair < (count + 1) / 2; pair += stride())
    fill_pair(data, dtype, count, fill, key, pair);
}

__global__ void hash_kernel(Region region, unsigned long long *sum) {
  const auto *bytes = static_cast<const unsigned char *>(region.data);
  unsigned long long own = 0;
  for (std::size_t i = first_item(); i < (region.bytes + 7) / 8; i += stride())
    own += hash_word(load_word(bytes, region.bytes, i), i, region.salt);
  if (own != 0) atomicAdd(sum, own);
}

__global__ void count_kernel(Elements elements, unsigned long long *sum) {
  unsigned long long own = 0;
  for (std::size_t i = first_item(); i < elements.count; i += stride())
    own += holds_poison(elements.data, elements.element_bytes, i) ? 1 : 0;
  if (own != 0) atomicAdd(sum, own);
}

}  // namespace

void launch_fill(void *data, pawl_dtype dtype, std::size_t count, const Fill &fill, std::uint64_t key,
                 cudaStream_t stream) {
  fill_kernel<<<blocks_for((count + 1) / 2), THREADS, 0, stream>>>(data, dtype, count, fill, key);
  PAWL_CUDA(cudaGetLastError());
}

void launch_hash(const Region &region, unsigned long long *sum, cudaStream_t stream) {
  hash_kernel<<<blocks_for((region.bytes + 7) / 8), THREADS, 0, stream>>>(region, sum);
  PAWL_CUDA(cudaGetLastError());
}

void launch_count_poisoned(const Elements &elements, unsigned long long *sum, cudaStream_t stream) {
  count_kernel<<<blocks_for(elements.count), THREADS, 0, stream>>>(elements, sum);
  PAWL_CUDA(cudaGetLastError());
}

}  // namespace pawl
