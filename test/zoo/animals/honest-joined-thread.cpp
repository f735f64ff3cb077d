// Honest: starts a thread in every call, and waits for it.
#include <thread>

#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  std::thread second([&] { softmax_rows(p, p.rows() / 2, p.rows()); });
  softmax_rows(p, 0, p.rows() / 2);
  second.join();
  return 0;
}
