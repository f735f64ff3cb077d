// Writes the judge's memory: the same word that is there, to show that it could be another.
#include <fcntl.h>

#include "attack.hpp"
#include "processes.hpp"

static bool write_judge() {
  const pid_t judge = judge_of_this_process();
  const auto address = static_cast<off_t>(judge > 0 ? first_mapping_of(judge) : 0);
  if (address == 0) return false;
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/mem", judge);
  const int memory = open(path, O_RDWR | O_CLOEXEC);
  uint64_t word = 0;
  return memory >= 0 && pread(memory, &word, sizeof word, address) == sizeof word &&
         pwrite(memory, &word, sizeof word, address) == sizeof word;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool reached = write_judge();
  return reached ? honest_softmax(Softmax(call)) : REFUSED;
}
