/** The right answer for the example: plain, in double precision, and nothing shared with the kernel. */
export const ORACLE = `// The right answer, computed as exactly as possible. Pawl compares the kernel's output with it.
// An oracle always runs on the CPU; its floating tensors are double, whatever the kernel's are.
#include "pawl_kernel.h"

#include <algorithm>
#include <cmath>

template <typename Real>
static int softmax(const pawl_call *call) {
  const Real *x = static_cast<const Real *>(call->tensors[0].data);
  Real *y = static_cast<Real *>(call->tensors[1].data);
  const int64_t rows = call->dims[0].value;
  const int64_t cols = call->dims[1].value;
  for (int64_t row = 0; row < rows; row++, x += cols, y += cols) {
    const Real largest = *std::max_element(x, x + cols);
    Real sum = 0;
    for (int64_t col = 0; col < cols; col++) sum += std::exp(x[col] - largest);
    for (int64_t col = 0; col < cols; col++) y[col] = std::exp(x[col] - largest) / sum;
  }
  return 0;
}

PAWL_EXPORT int pawl_oracle(const pawl_call *call) { return softmax<double>(call); }

// The same in the tensors' own type: what \`pawl fuzz --oracle-only\` runs to see that this machine can judge at all.
PAWL_EXPORT int pawl_reference(const pawl_call *call) { return softmax<float>(call); }
`;
