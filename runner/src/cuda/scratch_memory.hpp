#pragma once

#include <cstddef>
#include <map>

namespace pawl {

/**
 * Device memory of the judge's own, for a while. Small pieces lie in one allocation that was made before anything of
 * a kernel's was counted. What the device has no room for lies in host memory, which the device reaches more slowly.
 */
class CudaScratch {
 public:
  CudaScratch();
  ~CudaScratch();
  CudaScratch(const CudaScratch &) = delete;
  CudaScratch &operator=(const CudaScratch &) = delete;

  void *allocate(std::size_t bytes);
  /** False: it was not allocated here. */
  bool release(void *data);
  /** What is held now beside the allocation for small pieces. */
  std::size_t held_bytes() const { return held_bytes_; }

 private:
  enum class Place { device, host };
  struct Large {
    Place place;
    std::size_t bytes;
  };

  unsigned char *small_ = nullptr;
  /** Free pieces of it, by their offset; those that are taken, by theirs. */
  std::map<std::size_t, std::size_t> free_;
  std::map<std::size_t, std::size_t> taken_;
  std::map<void *, Large> large_;
  std::size_t held_bytes_ = 0;

  void *allocate_small(std::size_t bytes);
  void release_small(std::size_t offset);
};

}  // namespace pawl
