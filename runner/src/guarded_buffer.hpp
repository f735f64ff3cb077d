#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_memory.hpp"

namespace pawl {

/** What lies beside a buffer: bytes that we look at, bytes that AddressSanitizer watches too, or nothing at all. */
enum class Guard { canaries, fenced, none };

/** Textures want memory that is 512-byte aligned. */
constexpr std::size_t CANARY_BYTES = 512;
struct alignas(8) Canary : std::array<unsigned char, CANARY_BYTES> {};

/** What canaries usually hold: a negative number in every type but u8. */
Canary plain_canary();
/** The other extreme, of that type: an element that a kernel reads there changes whatever it is used for. */
Canary extreme_canary(pawl_dtype dtype);

/** Memory between two canaries. */
class GuardedBuffer {
 public:
  GuardedBuffer(Device &device, std::size_t bytes, Guard guard);

  void *data() const { return static_cast<unsigned char *>(memory_.data()) + guard_bytes_; }
  std::size_t bytes() const { return bytes_; }
  /** Where the memory begins that is shared, canaries and all. */
  const void *memory() const { return memory_.data(); }

  void set_canary(const Canary &canary);
  /** The same bytes again, where something overwrote them. */
  void rewrite_canaries();
  /** Adds both canaries to a list of regions. */
  void list_canaries(std::vector<Region> &regions) const;
  /** What those regions' hashes add up to while nothing has overwritten them. */
  std::uint64_t canary_hash() const;
  /** Says which canary was overwritten ("before", "after"), or nullptr. */
  const char *overwritten() const;

 private:
  Device *device_;
  std::size_t bytes_;
  std::size_t guard_bytes_;
  DeviceMemory memory_;
  Canary canary_{};

  void *after() const { return static_cast<unsigned char *>(data()) + bytes_; }
};

}  // namespace pawl
