// Changed later: right when the call returns; two milliseconds on, a thread puts something else there.
#include <chrono>
#include <thread>

#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  honest_softmax(p);
  std::thread([y = p.y] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    *static_cast<volatile float *>(y) = 0.5f;
  }).detach();
  return 0;
}
