#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../device.hpp"
#include "cpu_info.hpp"

namespace pawl {

/**
 * Puts a kernel's data out of all caches before a cold sample.
 *
 * On x86-64 and AArch64 line by line, with the instruction made for it: exact, on every CPU at once, and cheap.
 * Elsewhere by reading and writing a buffer on each pinned CPU, of 2 × (L2 + a CPU's share of the L3) for each,
 * at least 8 MB and at most 256 MB in all: twice, because replacement is not strictly least-recently-used; a
 * share, because writing all of a large server's L3 would take 100 ms a sample.
 */
class CacheEvictor {
 public:
  CacheEvictor(const std::vector<int> &cpus, const CpuCaches &caches);
  /** Says what was left undone, empty when the caches are covered. */
  const std::string &note() const { return note_; }
  void evict(const std::vector<Region> &regions);

 private:
  std::vector<int> cpus_;
  std::size_t bytes_;
  std::string note_;
  std::vector<std::uint64_t> buffer_;  // allocated by the first eviction that needs it
  std::uint64_t turn_ = 0;

  void overwrite_caches();
};

}  // namespace pawl
