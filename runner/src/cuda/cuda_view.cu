#include "cuda_view.hpp"

#include "cuda_error.hpp"
#include "grid.hpp"

namespace pawl {
namespace {

/** Threads whose elements share a place store the same value there. */
__global__ void fill_view_kernel(void *data, pawl_dtype dtype, View view, Fill fill, std::uint64_t key) {
  for (std::size_t i = first_item(); i < view.elements; i += stride()) fill_viewed(data, dtype, view, fill, key, i);
}

/** A thread for each element. What is undone may lie where something is changed. */
__global__ void refresh_view_kernel(Refresh t, View view) {
  const bool mine = threadIdx.x < fresh_count(view.elements);
  if (mine && t.undone_key != 0)
    refresh_viewed(t.data, t.dtype, view, t.fill, t.undone_key, t.base_key, threadIdx.x);
  __syncthreads();
  if (mine && t.fresh_key != 0)
    refresh_viewed(t.data, t.dtype, view, t.fill, t.fresh_key, t.fresh_key, threadIdx.x);
}

__global__ void gather_kernel(void *elements, const void *storage, View view, std::size_t element_bytes) {
  for (std::size_t i = first_item(); i < view.elements; i += stride())
    copy_element(elements, i, storage, view.place(i), element_bytes);
}

/** Where elements share a place and differ, one of them stays: the caller compares them afterwards. */
__global__ void scatter_kernel(void *storage, const void *elements, View view, std::size_t element_bytes) {
  for (std::size_t i = first_item(); i < view.elements; i += stride())
    copy_element(storage, view.place(i), elements, i, element_bytes);
}

}  // namespace

void launch_fill_view(void *data, pawl_dtype dtype, const View &view, const Fill &fill, std::uint64_t key,
                      cudaStream_t stream) {
  fill_view_kernel<<<blocks_for(view.elements), THREADS, 0, stream>>>(data, dtype, view, fill, key);
  PAWL_CUDA(cudaGetLastError());
}

void launch_refresh_view(const Refresh &tensor, const View &view, cudaStream_t stream) {
  refresh_view_kernel<<<1, FRESH_ELEMENTS, 0, stream>>>(tensor, view);
  PAWL_CUDA(cudaGetLastError());
}

void launch_gather(void *elements, const void *storage, const View &view, std::size_t element_bytes,
                   cudaStream_t stream) {
  gather_kernel<<<blocks_for(view.elements), THREADS, 0, stream>>>(elements, storage, view, element_bytes);
  PAWL_CUDA(cudaGetLastError());
}

void launch_scatter(void *storage, const void *elements, const View &view, std::size_t element_bytes,
                    cudaStream_t stream) {
  scatter_kernel<<<blocks_for(view.elements), THREADS, 0, stream>>>(storage, elements, view, element_bytes);
  PAWL_CUDA(cudaGetLastError());
}

}  // namespace pawl
