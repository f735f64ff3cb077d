#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "mapped_case.hpp"

// Of AddressSanitizer's runtime, where the program is linked with it: the judge itself need not be built for it.
extern "C" {
__attribute__((weak)) void __asan_poison_memory_region(const volatile void *address, std::size_t bytes);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void *address, std::size_t bytes);
}

namespace pawl {

/** Lets AddressSanitizer see every access to the bytes beside tensors, to the byte, while it is closed. */
class Fence {
 public:
  void enclose(const MappedCase &mapped) {
    for (const std::vector<void *> &set : mapped.sets)
      for (std::size_t t = 0; t < set.size(); ++t) {
        unsigned char *data = static_cast<unsigned char *>(set[t]);
        regions_.emplace_back(data - mapped.guard_bytes, mapped.guard_bytes);
        regions_.emplace_back(data + mapped.tensors[t].bytes, mapped.guard_bytes);
      }
  }
  void clear() { regions_.clear(); }

  class Closed {
   public:
    explicit Closed(const Fence &fence) : fence_(fence) {
      if (__asan_poison_memory_region == nullptr) return;
      for (const auto &[data, bytes] : fence_.regions_) __asan_poison_memory_region(data, bytes);
    }
    ~Closed() {
      if (__asan_unpoison_memory_region == nullptr) return;
      for (const auto &[data, bytes] : fence_.regions_) __asan_unpoison_memory_region(data, bytes);
    }
    Closed(const Closed &) = delete;
    Closed &operator=(const Closed &) = delete;

   private:
    const Fence &fence_;
  };

 private:
  std::vector<std::pair<void *, std::size_t>> regions_;
};

}  // namespace pawl
