// Honest: two threads are kept between calls and wait on a condition variable.
#include "../waiting-pool.hpp"

#include "../../zoo/softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static WaitingPool pool(2);
  const Softmax p(call);
  pool.run([&](int i) { softmax_rows(p, p.rows() * i / 2, p.rows() * (i + 1) / 2); });
  return 0;
}
