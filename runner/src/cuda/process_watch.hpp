#pragma once

#include <optional>
#include <vector>

#include "nvml.hpp"

namespace pawl {

/**
 * Tells this process and its candidates from others on the GPU. In a container NVML may list processes by the host's numbers, where
 * this one has another number than getpid() says: it is then known as the one that appeared with its context.
 */
class ProcessWatch {
 public:
  /** Made before the process has a context. */
  explicit ProcessWatch(const NvmlDevice &device);
  /** Called right after the context was made. */
  void context_made();
  std::vector<int> processes() const { return device_.compute_pids().value_or(std::vector<int>()); }
  /** A candidate's process that was not among `before` has a context now, whatever number it goes by here. */
  void candidate_started(const std::vector<int> &before);
  /** Other processes that compute on the device; absent where NVML does not tell. */
  std::optional<std::vector<int>> foreign_pids() const;

 private:
  const NvmlDevice &device_;
  std::vector<int> before_;
  bool has_context_ = false;
  std::optional<int> alias_;
  std::vector<int> candidates_;
};

}  // namespace pawl
