#pragma once

#include <ctime>

namespace pawl {

/** How long this thread has had a CPU. */
inline double thread_work_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

}  // namespace pawl
