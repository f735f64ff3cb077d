#pragma once

#include <cstddef>

#include "device.hpp"

namespace pawl {

/** Memory of a device, as long as this lives. */
class DeviceMemory {
 public:
  /** Whether it counts as memory that the kernel needs, or is ours for a while. */
  enum class For { kernel, runner };

  DeviceMemory(Device &device, std::size_t bytes, For use)
      : device_(device), data_(use == For::kernel ? device.allocate(bytes) : device.allocate_scratch(bytes)) {}
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory(DeviceMemory &&other) noexcept : device_(other.device_), data_(other.data_) { other.data_ = nullptr; }
  ~DeviceMemory() {
    if (data_ != nullptr) device_.release(data_);
  }
  void *data() const { return data_; }

 private:
  Device &device_;
  void *data_;
};

}  // namespace pawl
