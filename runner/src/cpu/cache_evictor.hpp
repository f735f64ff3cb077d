#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cpu_info.hpp"

namespace pawl {

/**
 * Pushes a kernel's data out of the caches of the pinned CPUs by writing and reading a buffer on each of them.
 *
 * Its size is 2 × (L2 + a CPU's share of the L3) for each pinned CPU, at least 8 MB and at most 256 MB in all:
 * twice, because replacement is not strictly least-recently-used; a share, because big servers have an L3 of
 * hundreds of megabytes that others fill as well, and writing all of it would take 100 ms a sample.
 */
class CacheEvictor {
 public:
  CacheEvictor(const std::vector<int> &cpus, const CpuCaches &caches);
  std::size_t bytes() const { return bytes_; }
  /** Says what was left undone, empty when the caches are covered. */
  const std::string &note() const { return note_; }
  void evict();

 private:
  std::vector<int> cpus_;
  std::size_t bytes_;
  std::string note_;
  std::vector<std::uint64_t> buffer_;  // allocated by the first eviction: hot mode needs none
  std::uint64_t turn_ = 0;
};

/** Pins the calling thread, and the threads it will start, to CPUs. */
void pin_to(const std::vector<int> &cpus);

}  // namespace pawl
