#pragma once

#include <cstddef>

#include "device.hpp"

namespace pawl {

/** Memory of a device, as long as this lives. */
class DeviceMemory {
 public:
  DeviceMemory(Device &device, std::size_t bytes) : device_(device), data_(device.allocate(bytes)) {}
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
