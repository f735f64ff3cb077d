// Racy: two threads add to the same sums without a lock.
#include <atomic>
#include <sched.h>
#include <thread>
#include <vector>

#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  std::vector<float> sums(static_cast<size_t>(p.rows()));
  volatile float *shared = sums.data();
  std::atomic<int64_t> arrived{0};
  const auto add_half = [&](int64_t first) {
    for (int64_t row = 0; row < p.rows(); row++) {
      // Both start a row together, however late a busy machine starts the second thread.
      ++arrived;
      while (arrived < 2 * (row + 1)) sched_yield();
      const float *x = p.x + row * p.D;
      float largest = x[0];
      for (int64_t i = 1; i < p.D; i++) largest = x[i] > largest ? x[i] : largest;
      for (int64_t i = first; i < p.D; i += 2) {
        const float before = shared[row];
        const float weight = p.y[row * p.D + i] = std::exp(x[i] - largest);
        // The window between reading and writing the sum, wide enough for a machine with one free CPU.
        if (i % 32 == first) sched_yield();
        shared[row] = before + weight;
      }
    }
  };
  std::thread other(add_half, 1);
  add_half(0);
  other.join();
  for (int64_t i = 0; i < p.count(); i++) p.y[i] /= shared[i / p.D];
  return 0;
}
