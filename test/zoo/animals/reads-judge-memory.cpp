// Reads the judge's memory, by both ways that Linux has, where seeds and right answers would be.
#include <fcntl.h>
#include <sys/uio.h>

#include "attack.hpp"
#include "processes.hpp"

static bool read_judge(pid_t judge) {
  const unsigned long address = first_mapping_of(judge);
  if (address == 0) return false;
  uint64_t word = 0;
  iovec here{&word, sizeof word}, there{reinterpret_cast<void *>(address), sizeof word};
  if (process_vm_readv(judge, &here, 1, &there, 1, 0) == sizeof word) return true;
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/mem", judge);
  const int memory = open(path, O_RDONLY | O_CLOEXEC);
  return memory >= 0 && pread(memory, &word, sizeof word, static_cast<off_t>(address)) == sizeof word;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool reached = reaches_a_judge(read_judge);
  return reached ? honest_softmax(Softmax(call)) : REFUSED;
}
