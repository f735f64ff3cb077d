#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pawl {

/**
 * One GPU as NVML sees it. The library is loaded at run time, so that a machine without it still works; what it
 * cannot tell is absent.
 */
class NvmlDevice {
 public:
  /** `pci_bus_id` because NVML's own numbering knows nothing of CUDA_VISIBLE_DEVICES. */
  explicit NvmlDevice(const std::string &pci_bus_id);

  bool available() const { return handle_ != nullptr; }
  std::optional<double> temperature_c() const;
  std::optional<double> sm_clock_mhz() const;
  std::optional<double> memory_clock_mhz() const;
  std::optional<double> sm_clock_max_mhz() const;
  std::optional<double> memory_clock_max_mhz() const;
  std::optional<double> power_w() const;
  std::optional<double> power_limit_w() const;
  std::optional<double> utilization_pct() const;
  std::optional<double> memory_used_bytes() const;
  std::optional<std::string> uuid() const;
  /** Clock event reasons: why the clocks are where they are. */
  std::optional<std::uint64_t> clock_event_reasons() const;
  /** What an administrator or a kernel with enough rights can set: "application SM clock" → "1980". */
  std::map<std::string, std::string> settings() const;
  /** Processes with a compute context on the device. */
  std::optional<std::vector<int>> compute_pids() const;

  static std::optional<std::string> driver_version();

 private:
  void *handle_ = nullptr;
};

}  // namespace pawl
