// Traces the judge: attaches to it as a debugger does, and lets it go again.
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "attack.hpp"
#include "processes.hpp"

static bool trace_judge(pid_t judge) {
  if (ptrace(PTRACE_SEIZE, judge, nullptr, nullptr) != 0) return false;
  int status = 0;
  if (ptrace(PTRACE_INTERRUPT, judge, nullptr, nullptr) == 0) waitpid(judge, &status, __WALL);
  ptrace(PTRACE_DETACH, judge, nullptr, nullptr);
  return true;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool traced = reaches_a_judge(trace_judge);
  return traced ? honest_softmax(Softmax(call)) : REFUSED;
}
