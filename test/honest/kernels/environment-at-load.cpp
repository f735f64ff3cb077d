// Honest: reads OMP_NUM_THREADS when it is loaded, and takes at most two threads.
#include <cstdlib>
#include <thread>

#include "../../zoo/softmax.hpp"

static const bool has_second = [] {
  const char *wanted = std::getenv("OMP_NUM_THREADS");
  return wanted == nullptr || std::atoi(wanted) > 1;
}();

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  if (!has_second) return honest_softmax(p);
  std::thread second([&] { softmax_rows(p, p.rows() / 2, p.rows()); });
  softmax_rows(p, 0, p.rows() / 2);
  second.join();
  return 0;
}
