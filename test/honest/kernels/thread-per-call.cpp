// Honest: starts three threads in every call, and joins them.
#include <thread>
#include <vector>

#include "../../zoo/softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < 3; i++)
    threads.emplace_back([&, i] { softmax_rows(p, p.rows() * i / 3, p.rows() * (i + 1) / 3); });
  for (std::thread &thread : threads) thread.join();
  return 0;
}
