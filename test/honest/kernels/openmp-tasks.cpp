// Honest: an OpenMP task for every eight rows.
#include <algorithm>

#include "../../zoo/softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Softmax p(call);
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int64_t row = 0; row < p.rows(); row += 8) {
#pragma omp task
    softmax_rows(p, row, std::min(p.rows(), row + 8));
  }
  return 0;
}
