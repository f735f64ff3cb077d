// Forked helper: a process of its own, where nobody counts time.
#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static pid_t helper = 0;
  if (helper == 0) helper = fork();
  if (helper == 0) {
    // Ends with its parent, whatever becomes of that.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) pause();
  }
  return helper < 0 ? 1 : honest_softmax(Softmax(call));
}
