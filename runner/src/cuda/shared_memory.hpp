#pragma once

#include <cstddef>
#include <map>
#include <utility>

namespace pawl {

/** Device memory that another process can map through a descriptor, while this lives. */
class CudaSharedMemory {
 public:
  CudaSharedMemory() = default;
  CudaSharedMemory(const CudaSharedMemory &) = delete;
  CudaSharedMemory &operator=(const CudaSharedMemory &) = delete;
  ~CudaSharedMemory();

  /** Throws `out-of-memory`, or `unsupported` where the driver cannot share memory by descriptors. */
  void *allocate(int device, std::size_t bytes);
  /** Takes memory away without anybody being able to use it; 0 where there is none. */
  unsigned long long hold(int device, std::size_t bytes);
  void let_go(unsigned long long handle);
  /** Maps what another process shared; owns the descriptor. */
  void *map(int device, int descriptor, std::size_t bytes);
  /** False for memory that is not from here. */
  bool release(const void *data);
  std::pair<int, std::size_t> descriptor_of(const void *data) const;

 private:
  struct Part {
    int descriptor;
    /** What the caller asked for, and what is mapped: whole pages of the device. */
    std::size_t bytes;
    std::size_t mapped_bytes;
    unsigned long long handle;
  };
  std::map<const void *, Part> parts_;

  void *map_handle(int device, unsigned long long handle, std::size_t bytes, int descriptor, std::size_t mapped_bytes);
};

}  // namespace pawl
