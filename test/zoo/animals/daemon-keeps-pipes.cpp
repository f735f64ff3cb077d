// Daemon that keeps the pipes: forks twice, leaves the session, and holds every descriptor open, so that whoever waits
// for their end waits for it.
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include "attack.hpp"

static bool leave_daemon() {
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    setsid();
    if (fork() == 0) {
      std::signal(SIGTERM, SIG_IGN);
      std::signal(SIGHUP, SIG_IGN);
      sleep(20);
    }
    _exit(0);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool left = leave_daemon();
  return left ? honest_softmax(Softmax(call)) : REFUSED;
}
