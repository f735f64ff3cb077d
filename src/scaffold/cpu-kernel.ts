/** The example kernel for the CPU. Both of its tunables change the machine code. */
export const CPU_KERNEL = `// Softmax of every row of x. Tunables (pawl.yaml) arrive as macros of the same name:
//   BLOCK  columns handled before the running maximum is updated
//   LANES  maxima and sums kept side by side, so that one does not wait for the other
#include "pawl_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

constexpr float lowest = -std::numeric_limits<float>::infinity();

float largest_of(const float *x, int64_t count) {
  float lanes[LANES];
  std::fill(lanes, lanes + LANES, lowest);
  int64_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int lane = 0; lane < LANES; lane++) lanes[lane] = std::max(lanes[lane], x[i + lane]);
  for (; i < count; i++) lanes[0] = std::max(lanes[0], x[i]);
  return *std::max_element(lanes, lanes + LANES);
}

float sum_of_exponentials(const float *x, int64_t count, float shift) {
  float lanes[LANES] = {};
  int64_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int lane = 0; lane < LANES; lane++) lanes[lane] += std::exp(x[i + lane] - shift);
  for (; i < count; i++) lanes[0] += std::exp(x[i] - shift);
  float sum = 0;
  for (float lane : lanes) sum += lane;
  return sum;
}

void softmax_row(const float *x, float *y, int64_t cols) {
  float shift = 0;  // the largest value so far, once there is one above minus infinity
  float sum = 0;
  bool seen = false;
  for (int64_t start = 0; start < cols; start += BLOCK) {
    const int64_t count = std::min<int64_t>(BLOCK, cols - start);
    const float largest = largest_of(x + start, count);
    if (largest > (seen ? shift : lowest)) {
      if (seen) sum *= std::exp(shift - largest);
      shift = largest;
      seen = true;
    }
    sum += sum_of_exponentials(x + start, count, shift);
  }
  for (int64_t col = 0; col < cols; col++) y[col] = std::exp(x[col] - shift) / sum;
}

}  // namespace

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  // Tensors and dimensions come in the order of pawl.yaml.
  const float *x = static_cast<const float *>(call->tensors[0].data);
  float *y = static_cast<float *>(call->tensors[1].data);
  const int64_t rows = call->dims[0].value;
  const int64_t cols = call->dims[1].value;
  for (int64_t row = 0; row < rows; row++) softmax_row(x + row * cols, y + row * cols, cols);
  return 0;
}
`;
