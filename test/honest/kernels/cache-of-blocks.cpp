// Honest: keeps the scratch blocks of its calls in a list for reuse, and never gives them back.
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "../../zoo/softmax.hpp"

using Block = std::unique_ptr<float[]>;

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static std::mutex mutex;
  static std::map<size_t, std::vector<Block>> unused;
  const Softmax p(call);
  const size_t size = static_cast<size_t>(p.D);
  Block block;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    std::vector<Block> &fitting = unused[size];
    if (!fitting.empty()) {
      block = std::move(fitting.back());
      fitting.pop_back();
    }
  }
  if (!block) block = std::make_unique<float[]>(size);
  for (int64_t row = 0; row < p.rows(); row++) {
    softmax_row(p.x + row * p.D, block.get(), p.D);
    for (int64_t i = 0; i < p.D; i++) p.y[row * p.D + i] = block[static_cast<size_t>(i)];
  }
  const std::lock_guard<std::mutex> lock(mutex);
  unused[size].push_back(std::move(block));
  return 0;
}
