#include "guarded_buffer.hpp"

#include <limits>

namespace pawl {
namespace {

/** Neither zero, nor the NaN pattern, nor a value that kernels tend to write. */
constexpr unsigned char PLAIN = 0xC5;

}  // namespace

Canary plain_canary() {
  Canary canary;
  canary.fill(PLAIN);
  return canary;
}

Canary extreme_canary(pawl_dtype dtype) {
  Canary canary;
  // A large positive integer.
  canary.fill(0x7F);
  // An infinity is beyond every number (a maximum shows it), makes an exponential 0 or infinite, and times 0 is a NaN.
  for (std::size_t i = 0; is_floating(dtype) && i < CANARY_BYTES / dtype_bytes(dtype); ++i)
    store_element(canary.data(), dtype, i, std::numeric_limits<double>::infinity());
  return canary;
}

GuardedBuffer::GuardedBuffer(Device &device, std::size_t bytes, Guard guard)
    : device_(&device),
      bytes_(bytes),
      guard_bytes_(guard == Guard::none ? 0 : CANARY_BYTES),
      memory_(device, bytes + 2 * guard_bytes_, DeviceMemory::For::kernel) {
  set_canary(plain_canary());
}

void GuardedBuffer::set_canary(const Canary &canary) {
  canary_ = canary;
  rewrite_canaries();
}

void GuardedBuffer::rewrite_canaries() {
  if (guard_bytes_ == 0) return;
  device_->copy_from_host(memory_.data(), canary_.data(), CANARY_BYTES);
  device_->copy_from_host(after(), canary_.data(), CANARY_BYTES);
}

void GuardedBuffer::list_canaries(std::vector<Region> &regions) const {
  if (guard_bytes_ == 0) return;
  regions.push_back({memory_.data(), CANARY_BYTES, 0});
  regions.push_back({after(), CANARY_BYTES, 0});
}

std::uint64_t GuardedBuffer::canary_hash() const {
  if (guard_bytes_ == 0) return 0;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < CANARY_BYTES / 8; ++i)
    sum += hash_word(load_word(canary_.data(), CANARY_BYTES, i), i, 0);
  return 2 * sum;
}

const char *GuardedBuffer::overwritten() const {
  if (guard_bytes_ == 0) return nullptr;
  Canary found;
  const auto intact = [&](const void *canary) {
    device_->copy_to_host(found.data(), canary, CANARY_BYTES);
    return found == canary_;
  };
  if (!intact(after())) return "after";
  return intact(memory_.data()) ? nullptr : "before";
}

}  // namespace pawl
