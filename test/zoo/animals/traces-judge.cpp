// Traces the judge: attaches to it as a debugger does, and lets it go again.
#include <cerrno>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "attack.hpp"
#include "processes.hpp"

static bool trace_judge() {
  const pid_t judge = judge_of_this_process();
  if (judge == 0 || ptrace(PTRACE_SEIZE, judge, nullptr, nullptr) != 0) return false;
  int status = 0;
  if (ptrace(PTRACE_INTERRUPT, judge, nullptr, nullptr) == 0) waitpid(judge, &status, __WALL);
  ptrace(PTRACE_DETACH, judge, nullptr, nullptr);
  return true;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool traced = trace_judge();
  return traced ? honest_softmax(Softmax(call)) : REFUSED;
}
