#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pawl {

/** Memory as large as the caches of one CPU, to be gone through: what they held before is not there afterwards. */
class CacheWalk {
 public:
  static constexpr std::size_t LINE_BYTES = 64;

  void through() {
    if (words_.empty()) words_.assign(BYTES / sizeof(std::uint64_t), 1);
    for (std::size_t word = 0; word < words_.size(); word += LINE_BYTES / sizeof(std::uint64_t))
      words_[word] = words_[word] * 3 + 1;
  }

 private:
  static constexpr std::size_t BYTES = std::size_t(1) << 20;
  std::vector<std::uint64_t> words_;
};

}  // namespace pawl
