// Honest: asks in every call how many CPUs there are, as many thread pools do.
#include <algorithm>
#include <unistd.h>

#include "../../zoo/softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
  const int64_t parts = std::clamp<int64_t>(sysconf(_SC_NPROCESSORS_ONLN), 1, 8);
  for (int64_t i = 0; i < parts; i++) softmax_rows(p, p.rows() * i / parts, p.rows() * (i + 1) / parts);
  return 0;
}
