#include "scratch_memory.hpp"

#include <cuda_runtime.h>

#include <iterator>
#include <string>

#include "cuda_error.hpp"

namespace pawl {
namespace {

constexpr std::size_t SMALL_BYTES = std::size_t(32) << 20, LARGEST_SMALL = std::size_t(1) << 20;
/** Tensors begin where the most demanding kernel wants them to. */
constexpr std::size_t ALIGNMENT = 512;
/** What the driver hands out large pieces in. */
constexpr std::size_t PAGE = std::size_t(2) << 20;

std::size_t rounded_up(std::size_t bytes, std::size_t step) { return (bytes + step - 1) / step * step; }

}  // namespace

CudaScratch::CudaScratch() {
  PAWL_CUDA(cudaMalloc(reinterpret_cast<void **>(&small_), SMALL_BYTES));
  free_[0] = SMALL_BYTES;
}

CudaScratch::~CudaScratch() {
  for (const auto &[data, large] : large_) large.place == Place::device ? cudaFree(data) : cudaFreeHost(data);
  cudaFree(small_);
}

void *CudaScratch::allocate(std::size_t bytes) {
  if (bytes <= LARGEST_SMALL)
    if (void *data = allocate_small(rounded_up(bytes, ALIGNMENT))) return data;
  void *data = nullptr;
  Large large{Place::device, rounded_up(bytes, PAGE)};
  if (cudaMalloc(&data, bytes) != cudaSuccess) {
    cudaGetLastError();
    large = {Place::host, 0};
    if (const cudaError_t error = cudaMallocHost(&data, bytes); error != cudaSuccess)
      throw_cuda_error(error, "neither the device nor the host has " + std::to_string(bytes) + " bytes left");
  }
  large_[data] = large;
  held_bytes_ += large.bytes;
  return data;
}

void *CudaScratch::allocate_small(std::size_t bytes) {
  for (const auto &[offset, size] : free_) {
    if (size < bytes) continue;
    const std::size_t at = offset, left = size - bytes;
    free_.erase(at);
    if (left > 0) free_[at + bytes] = left;
    taken_[at] = bytes;
    return small_ + at;
  }
  return nullptr;
}

void CudaScratch::release_small(std::size_t offset) {
  auto here = free_.emplace(offset, taken_.at(offset)).first;
  taken_.erase(offset);
  if (const auto next = std::next(here); next != free_.end() && here->first + here->second == next->first) {
    here->second += next->second;
    free_.erase(next);
  }
  if (here == free_.begin()) return;
  if (const auto before = std::prev(here); before->first + before->second == here->first) {
    before->second += here->second;
    free_.erase(here);
  }
}

bool CudaScratch::release(void *data) {
  const auto *place = static_cast<unsigned char *>(data);
  if (place >= small_ && place < small_ + SMALL_BYTES) {
    release_small(static_cast<std::size_t>(place - small_));
    return true;
  }
  const auto found = large_.find(data);
  if (found == large_.end()) return false;
  held_bytes_ -= found->second.bytes;
  found->second.place == Place::device ? cudaFree(data) : cudaFreeHost(data);
  large_.erase(found);
  return true;
}

}  // namespace pawl
