/** The right answer for the example: plain, in double precision, and nothing shared with the kernel. */
export const ORACLE = `// The right answer, computed as exactly as possible. Pawl compares the kernel's output with it.
// An oracle always runs on the CPU; its floating tensors are double, whatever the kernel's are.
#include "pawl_kernel.h"

#include <algorithm>
#include <cmath>

PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  const double *x = static_cast<const double *>(call->tensors[0].data);
  double *y = static_cast<double *>(call->tensors[1].data);
  const int64_t rows = call->dims[0].value;
  const int64_t cols = call->dims[1].value;
  for (int64_t row = 0; row < rows; row++, x += cols, y += cols) {
    const double largest = *std::max_element(x, x + cols);
    double sum = 0;
    for (int64_t col = 0; col < cols; col++) sum += std::exp(x[col] - largest);
    for (int64_t col = 0; col < cols; col++) y[col] = std::exp(x[col] - largest) / sum;
  }
  return 0;
}
`;
