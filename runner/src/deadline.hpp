#pragma once

#include <csignal>
#include <ctime>

#include "error.hpp"

namespace pawl {

/** Ends the judge by a signal that nothing else uses, so that it is known what hangs. */
class Deadline {
 public:
  Deadline(int signal, double ms) {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = signal;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) throw RunnerError("internal", "no timer could be made");
    itimerspec spec{};
    spec.it_value.tv_sec = static_cast<time_t>(ms / 1e3);
    spec.it_value.tv_nsec = static_cast<long>(1e6 * (ms - 1e3 * static_cast<double>(spec.it_value.tv_sec))) + 1;
    timer_settime(timer_, 0, &spec, nullptr);
  }
  ~Deadline() { timer_delete(timer_); }
  Deadline(const Deadline &) = delete;
  Deadline &operator=(const Deadline &) = delete;

 private:
  timer_t timer_{};
};

}  // namespace pawl
