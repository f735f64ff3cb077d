// Moves the judge: sets the CPUs and the priority of the process that holds the clock, here to what they are.
#include <sched.h>
#include <sys/resource.h>

#include "attack.hpp"
#include "processes.hpp"

static bool move_judge(pid_t judge) {
  cpu_set_t cpus;
  if (sched_getaffinity(judge, sizeof cpus, &cpus) == 0 && sched_setaffinity(judge, sizeof cpus, &cpus) == 0)
    return true;
  return setpriority(PRIO_PROCESS, static_cast<id_t>(judge), getpriority(PRIO_PROCESS, static_cast<id_t>(judge))) == 0;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool moved = reaches_a_judge(move_judge);
  return moved ? honest_softmax(Softmax(call)) : REFUSED;
}
