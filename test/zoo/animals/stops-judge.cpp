// Stops the judge by a signal, and lets it go on a millisecond later: what it does not see it cannot time.
#include <csignal>
#include <thread>

#include "attack.hpp"
#include "processes.hpp"

static bool stop_judge(pid_t judge) {
  if (kill(judge, SIGSTOP) != 0) return false;
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return kill(judge, SIGCONT) == 0;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool stopped = reaches_a_judge(stop_judge);
  return stopped ? honest_softmax(Softmax(call)) : REFUSED;
}
