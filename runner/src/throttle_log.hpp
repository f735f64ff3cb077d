#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "device.hpp"

namespace pawl {

/** Clock event reasons around each sample: the union of the last poll before it and the next one after it. */
class ThrottleLog {
 public:
  explicit ThrottleLog(Device &device) : device_(device) { poll(); }

  /** Between samples; asks the device at most every 5 ms, because a query takes a good part of a millisecond. */
  void poll_if_due() {
    if (std::chrono::steady_clock::now() - polled_at_ >= std::chrono::milliseconds(5)) poll();
  }
  void sample_taken() { poll_before_.push_back(polls_.size() - 1); }
  void clear() { poll_before_.clear(); }

  /** One mask a sample; empty where the device does not tell. */
  std::vector<std::uint64_t> finish() {
    poll();
    std::vector<std::uint64_t> masks;
    for (const std::size_t poll : poll_before_) {
      if (!polls_[poll] || !polls_[poll + 1]) return {};
      masks.push_back(*polls_[poll] | *polls_[poll + 1]);
    }
    return masks;
  }

 private:
  Device &device_;
  std::chrono::steady_clock::time_point polled_at_;
  std::vector<std::optional<std::uint64_t>> polls_;
  std::vector<std::size_t> poll_before_;

  void poll() {
    polls_.push_back(device_.throttle_mask());
    polled_at_ = std::chrono::steady_clock::now();
  }
};

}  // namespace pawl
