// Writes the judge's memory: the same word that is there, to show that it could be another.
#include <fcntl.h>

#include "attack.hpp"
#include "processes.hpp"

static bool write_judge(pid_t judge) {
  const auto address = static_cast<off_t>(first_mapping_of(judge));
  if (address == 0) return false;
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/mem", judge);
  const int memory = open(path, O_RDWR | O_CLOEXEC);
  uint64_t word = 0;
  return memory >= 0 && pread(memory, &word, sizeof word, address) == sizeof word &&
         pwrite(memory, &word, sizeof word, address) == sizeof word;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool reached = reaches_a_judge(write_judge);
  return reached ? honest_softmax(Softmax(call)) : REFUSED;
}
