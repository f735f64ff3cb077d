#include "cuda_memory.hpp"

#include <algorithm>

#include "cuda_error.hpp"
#include "grid.hpp"

namespace pawl {
namespace {

__global__ void fill_kernel(void *data, pawl_dtype dtype, std::size_t count, Fill fill, std::uint64_t key) {
  for (std::size_t pair = first_item(); pair < (count + 1) / 2; pair += stride())
    fill_pair(data, dtype, count, fill, key, pair);
}

/** As many as fit into a kernel's 4 KB of parameters with room to spare. */
constexpr std::size_t REFRESHED_AT_ONCE = 32;
struct Refreshes {
  Refresh tensors[REFRESHED_AT_ONCE];
};
static_assert(sizeof(Refreshes) <= 4000, "kernel parameters hold 4 KB");

/** A block for each tensor, a thread for each element. What is undone may lie where something is changed. */
__global__ void refresh_kernel(Refreshes refreshes) {
  const Refresh &t = refreshes.tensors[blockIdx.x];
  const bool mine = threadIdx.x < fresh_count(t.count);
  if (mine && t.undone_key != 0)
    refresh_element(t.data, t.dtype, t.count, t.fill, t.undone_key, t.base_key, threadIdx.x);
  __syncthreads();
  if (mine && t.fresh_key != 0)
    refresh_element(t.data, t.dtype, t.count, t.fill, t.fresh_key, t.fresh_key, threadIdx.x);
}

/** One addition a block: a million threads that each add to one place wait a millisecond for each other. */
__device__ void add_to_sum(unsigned long long own, unsigned long long *sum) {
  for (int distance = 16; distance > 0; distance /= 2) own += __shfl_down_sync(0xFFFFFFFFu, own, distance);
  __shared__ unsigned long long warps[THREADS / 32];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned long long block = 0;
  for (unsigned warp = 0; warp < THREADS / 32; ++warp) block += warps[warp];
  if (block != 0) atomicAdd(sum, block);
}

__global__ void hash_kernel(Region region, unsigned long long *sum) {
  const auto *bytes = static_cast<const unsigned char *>(region.data);
  unsigned long long own = 0;
  for (std::size_t i = first_item(); i < (region.bytes + 7) / 8; i += stride())
    own += hash_word(load_word(bytes, region.bytes, i), i, region.salt);
  add_to_sum(own, sum);
}

__global__ void count_kernel(Elements elements, unsigned long long *sum) {
  unsigned long long own = 0;
  for (std::size_t i = first_item(); i < elements.count; i += stride())
    own += holds_poison(elements.data, elements.element_bytes, i) ? 1 : 0;
  add_to_sum(own, sum);
}

}  // namespace

void launch_fill(void *data, pawl_dtype dtype, std::size_t count, const Fill &fill, std::uint64_t key,
                 cudaStream_t stream) {
  fill_kernel<<<blocks_for((count + 1) / 2), THREADS, 0, stream>>>(data, dtype, count, fill, key);
  PAWL_CUDA(cudaGetLastError());
}

void launch_refresh(const std::vector<Refresh> &tensors, cudaStream_t stream) {
  for (std::size_t first = 0; first < tensors.size(); first += REFRESHED_AT_ONCE) {
    const std::size_t count = std::min(REFRESHED_AT_ONCE, tensors.size() - first);
    Refreshes refreshes{};
    std::copy_n(tensors.begin() + static_cast<std::ptrdiff_t>(first), count, refreshes.tensors);
    refresh_kernel<<<static_cast<unsigned>(count), FRESH_ELEMENTS, 0, stream>>>(refreshes);
    PAWL_CUDA(cudaGetLastError());
  }
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
