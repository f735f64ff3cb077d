#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "device_memory.hpp"

namespace pawl {

/**
 * Memory of the judge's own beside the tensors of a case: a copy of one, or what is right. It lies where the tensors
 * lie, so that what is large is compared where it was computed.
 */
class KeptTensor {
 public:
  /** Nothing is kept. */
  KeptTensor() = default;
  KeptTensor(Device &device, std::size_t bytes, DeviceMemory::For use = DeviceMemory::For::runner)
      : memory_(std::in_place, device, bytes > 0 ? bytes : 1, use), bytes_(bytes) {}
  static KeptTensor copy_of(Device &device, const void *data, std::size_t bytes) {
    KeptTensor kept(device, bytes);
    device.copy(kept.data(), data, bytes);
    return kept;
  }

  bool empty() const { return !memory_; }
  void *data() const { return memory_ ? memory_->data() : nullptr; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::optional<DeviceMemory> memory_;
  std::size_t bytes_ = 0;
};

/** By tensor index; empty where there is none. */
using KeptTensors = std::vector<KeptTensor>;
/** The same, of somebody else's. */
using ShownTensors = std::vector<const KeptTensor *>;

inline ShownTensors shown(const KeptTensors &tensors) {
  ShownTensors all;
  for (const KeptTensor &tensor : tensors) all.push_back(&tensor);
  return all;
}

}  // namespace pawl
