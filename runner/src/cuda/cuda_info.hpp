#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "../json.hpp"

namespace pawl {

/** Called before a process makes its context on a device, and after; see ProcessWatch. */
void watch_cuda_processes(int device);
void note_cuda_context(int device);
/** A candidate of this process is about to start; it has its context. */
std::vector<int> cuda_processes(int device);
void note_cuda_candidate(int device, const std::vector<int> &before);

Json cuda_device_info(int device);
Json cuda_device_state(int device);
/** What NVML can read of the device's settings, by name. */
std::map<std::string, std::string> cuda_device_settings(int device);
/** NVML's clock event reasons now; absent where NVML is not there. */
std::optional<std::uint64_t> cuda_throttle_mask(int device);

}  // namespace pawl
