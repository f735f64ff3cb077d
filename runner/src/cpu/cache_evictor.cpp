#include "cache_evictor.hpp"

#include <algorithm>

#include "cache_lines.hpp"
#include "pin.hpp"

namespace pawl {
namespace {

constexpr std::size_t MEGABYTE = 1u << 20;
constexpr std::size_t LEAST_BYTES = 8 * MEGABYTE;
constexpr std::size_t MOST_BYTES = 256 * MEGABYTE;
constexpr std::size_t WORDS_PER_LINE = LINE_BYTES / sizeof(std::uint64_t);

}  // namespace

CacheEvictor::CacheEvictor(const std::vector<int> &cpus, const CpuCaches &caches) : cpus_(cpus) {
  const std::size_t share = caches.l2_bytes.value_or(0) + caches.l3_bytes.value_or(0) / caches.l3_sharers;
  const std::size_t wanted = std::max(LEAST_BYTES, 2 * share * cpus.size());
  bytes_ = std::min(wanted, MOST_BYTES);
  if (!CAN_FLUSH_LINES && bytes_ < wanted)
    note_ = "cold samples follow an eviction of " + std::to_string(bytes_ / MEGABYTE) + " MB, where " +
            std::to_string(wanted / MEGABYTE) + " MB would cover the caches of the pinned CPUs";
}

void CacheEvictor::evict(const std::vector<Region> &regions) {
  if (!CAN_FLUSH_LINES) return overwrite_caches();
  for (const Region &region : regions) flush_lines(region.data, region.bytes);
  wait_for_flushes();
}

void CacheEvictor::overwrite_caches() {
  if (buffer_.empty()) buffer_.assign(bytes_ / sizeof(std::uint64_t), 1);
  ++turn_;
  const std::size_t slice = buffer_.size() / cpus_.size();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < cpus_.size(); ++i) {
    // Private caches are emptied only by the CPU that owns them.
    if (cpus_.size() > 1) pin_to({cpus_[i]});
    std::uint64_t *words = buffer_.data() + i * slice;
    for (std::size_t word = 0; word < slice; word += WORDS_PER_LINE) {
      sum += words[word];
      words[word] = sum ^ turn_;
    }
  }
  buffer_[0] = sum;
  if (cpus_.size() > 1) pin_to(cpus_);
}

}  // namespace pawl
