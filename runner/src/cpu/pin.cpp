#include "pin.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include <sched.h>

#include "../error.hpp"

namespace pawl {

void pin_to(const std::vector<int> &cpus) {
  const int top = *std::max_element(cpus.begin(), cpus.end());
  cpu_set_t *set = CPU_ALLOC(static_cast<std::size_t>(top) + 1);
  if (set == nullptr) throw RunnerError("out-of-memory", "no memory for a CPU set");
  const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(top) + 1);
  CPU_ZERO_S(bytes, set);
  for (const int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), bytes, set);
  const int failed = sched_setaffinity(0, bytes, set);
  const int reason = errno;
  CPU_FREE(set);
  if (failed != 0) throw RunnerError("device-error", std::string("pinning to CPUs failed: ") + std::strerror(reason));
}

}  // namespace pawl
