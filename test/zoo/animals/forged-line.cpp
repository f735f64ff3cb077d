// Forged result line: prints an answer of its own, for a harness that reads what kernels print.
#include <cstdio>

#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  std::puts(
      "{\"mac\":\"0000000000000000000000000000000000000000000000000000000000000000\","
      "\"body\":{\"id\":3,\"seq\":3,\"ok\":true,\"result\":{\"samples_ms\":[0.000001]}}}");
  std::fflush(stdout);
  return honest_softmax(Softmax(call));
}
