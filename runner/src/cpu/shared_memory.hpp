#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "../device.hpp"

namespace pawl {

/** Host memory that another process can map, while this lives. */
class SharedMemory final : public Sharing {
 public:
  SharedMemory() = default;
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;
  ~SharedMemory() override;

  /** Throws `out-of-memory`. */
  void *allocate(std::size_t bytes);
  /** False for memory that is not from here. */
  bool release(void *data);
  std::pair<int, std::size_t> shared(const void *data) const override;

 private:
  struct Part {
    int descriptor;
    std::size_t bytes;
  };
  std::map<const void *, Part> parts_;
};

}  // namespace pawl
