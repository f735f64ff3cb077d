#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "device_memory.hpp"
#include "problem.hpp"

namespace pawl {

/**
 * What the recorded tensors of a case hold, in memory of the device. Files are read once, and refused where they are
 * not what was announced.
 */
class Recordings {
 public:
  /** Reads them, and lets the fills of the problem point to the first ones. Throws `generator-failed`. */
  Recordings(Device &device, Problem &problem);

  bool empty() const { return memory_.empty(); }
  /** Which of the recordings contents of a seed and stream have; the same for all tensors. */
  std::size_t chosen(std::uint64_t seed, std::size_t stream) const;
  /** The fill of a recorded tensor, which points to one of its recordings. */
  Fill fill(const TensorSpec &spec, std::size_t tensor, std::size_t which) const;

 private:
  std::map<std::size_t, std::vector<DeviceMemory>> memory_;
  std::size_t most_ = 1;
};

}  // namespace pawl
