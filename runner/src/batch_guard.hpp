#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device.hpp"
#include "prepared_case.hpp"

namespace pawl {

/**
 * Looks for kernels that work in a batch's first calls alone. Within a batch nothing is new: the contents are those of
 * the call before, and the outputs hold its results.
 */
class BatchGuard {
 public:
  /** Of a series in batches of so many calls, queued before the first began where they were `blocked`. */
  BatchGuard(Device &device, PreparedCase &prepared, std::int64_t calls, bool blocked);

  /** What speaks against the kernel, if anything does. */
  std::optional<std::string> finding();

 private:
  Device &device_;
  PreparedCase &prepared_;
  std::int64_t calls_;
  bool blocked_;

  /** Whole batches, and calls of which each has contents that are new in full. */
  std::optional<std::string> compare_new();
  /** Calls whose outputs hold their results already, and calls whose outputs hold poison. */
  std::optional<std::string> compare_outputs();

  /** The least that an interval took, on contents that are new in full or to some extent, and with poison in outputs. */
  double least_ms(Run run, bool all_new);
  /** So many calls on one set. */
  double batch_ms(std::int64_t calls);
  /** One call on each of so many sets, each with new contents of its own. */
  double new_ms(std::size_t count);
  /** Whether something shows again and again: on a busy machine a single round can look like anything. */
  static bool shows_often(const std::function<bool()> &shows);
};

}  // namespace pawl
