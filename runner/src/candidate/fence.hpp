#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "mapped_case.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define PAWL_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PAWL_ASAN 1
#endif
#endif
#ifdef PAWL_ASAN
#include <sanitizer/asan_interface.h>
#endif

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
#ifdef PAWL_ASAN
      for (const auto &[data, bytes] : fence_.regions_) __asan_poison_memory_region(data, bytes);
#endif
    }
    ~Closed() {
#ifdef PAWL_ASAN
      for (const auto &[data, bytes] : fence_.regions_) __asan_unpoison_memory_region(data, bytes);
#endif
    }
    Closed(const Closed &) = delete;
    Closed &operator=(const Closed &) = delete;

   private:
    [[maybe_unused]] const Fence &fence_;
  };

 private:
  std::vector<std::pair<void *, std::size_t>> regions_;
};

}  // namespace pawl
