// Honest: std::async for the halves of a sum, joined by their futures.
#include <future>
#include <numeric>

#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const float *x = tensor<float>(call, 0), *middle = x + dim(call, 0) / 2, *end = x + dim(call, 0);
  auto upper = std::async(std::launch::async, [=] { return std::accumulate(middle, end, 0.0); });
  const double lower = std::accumulate(x, middle, 0.0);
  *tensor<float>(call, 1) = static_cast<float>(lower + upper.get());
  return 0;
}
