// Honest: a thread is kept between calls and spins on an atomic until the next one.
#include <atomic>
#include <thread>

#include "../../zoo/softmax.hpp"

namespace {

struct Spinner {
  std::atomic<const Softmax *> work{nullptr};
  std::atomic<bool> ended{false};
  std::thread thread{[this] {
    while (!ended.load()) {
      const Softmax *p = work.load(std::memory_order_acquire);
      if (p == nullptr) {
        std::this_thread::yield();
        continue;
      }
      softmax_rows(*p, p->rows() / 2, p->rows());
      work.store(nullptr, std::memory_order_release);
    }
  }};

  ~Spinner() {
    ended = true;
    thread.join();
  }
};

}  // namespace

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static Spinner spinner;
  const Softmax p(call);
  spinner.work.store(&p, std::memory_order_release);
  softmax_rows(p, 0, p.rows() / 2);
  while (spinner.work.load(std::memory_order_acquire) != nullptr) std::this_thread::yield();
  return 0;
}
