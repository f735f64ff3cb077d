// Honest: reads the clock around its own work, to keep a statistic.
#include <chrono>

#include "../../zoo/softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static std::chrono::nanoseconds spent{0};
  const auto from = std::chrono::steady_clock::now();
  const int status = honest_softmax(Softmax(call));
  spent += std::chrono::steady_clock::now() - from;
  return spent.count() < 0 ? 1 : status;
}
