#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "../json.hpp"

namespace pawl {

/** Sizes in bytes; absent where neither sysfs nor the C library tells. */
struct CpuCaches {
  std::optional<std::size_t> l1d_bytes;
  std::optional<std::size_t> l2_bytes;
  std::optional<std::size_t> l3_bytes;
  /** CPUs that share one L3. */
  std::size_t l3_sharers = 1;
};

CpuCaches read_cpu_caches(int cpu);
/** What `open` says about the CPU, for a process that was pinned to `cpus`. */
Json cpu_info(const std::vector<int> &cpus);
/** Clock of the first pinned CPU, temperature of the package, load; absent where the machine does not tell. */
Json cpu_state(const std::vector<int> &cpus);
/** Memory that can be taken without pushing the machine, or the container, into swapping or the OOM killer. */
std::size_t cpu_free_bytes();
/** A process's largest resident size so far (VmHWM). */
std::optional<double> resident_peak_bytes(int pid);

}  // namespace pawl
