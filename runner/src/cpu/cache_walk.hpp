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
    make();
    for (std::size_t i = 0; i < LINES; ++i) touch(i);
  }

  /** Goes on where it was, for a few microseconds. */
  void on() {
    make();
    for (std::size_t i = 0; i < LINES / 64; ++i) touch(next_++ % LINES);
  }

 private:
  static constexpr std::size_t BYTES = std::size_t(1) << 20;
  static constexpr std::size_t LINES = BYTES / LINE_BYTES;
  static constexpr std::size_t WORDS_PER_LINE = LINE_BYTES / sizeof(std::uint64_t);
  std::vector<std::uint64_t> words_;
  std::size_t next_ = 0;

  void make() {
    if (words_.empty()) words_.assign(BYTES / sizeof(std::uint64_t), 1);
  }
  void touch(std::size_t line) {
    std::uint64_t &word = words_[line * WORDS_PER_LINE];
    word = word * 3 + 1;
  }
};

}  // namespace pawl
