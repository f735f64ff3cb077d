#pragma once

#include <cstddef>
#include <utility>

#include "device.hpp"

namespace pawl {

/** Memory of a device, as long as this lives. */
class DeviceMemory {
 public:
  /** Whether it counts as memory that the kernel needs, can be handed to what serves the judge, or is ours alone. */
  enum class For { kernel, function, runner };

  DeviceMemory(Device &device, std::size_t bytes, For use)
      : device_(&device),
        data_(use == For::kernel     ? device.allocate(bytes)
              : use == For::function ? device.allocate_beside(bytes)
                                     : device.allocate_scratch(bytes)) {}
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;
  DeviceMemory(DeviceMemory &&other) noexcept : device_(other.device_), data_(std::exchange(other.data_, nullptr)) {}
  DeviceMemory &operator=(DeviceMemory &&other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~DeviceMemory() {
    if (data_ != nullptr) device_->release(data_);
  }
  void *data() const { return data_; }

 private:
  Device *device_;
  void *data_;
};

}  // namespace pawl
