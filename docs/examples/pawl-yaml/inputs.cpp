#include <algorithm>
#include <random>
#include "pawl_judge.h"

PAWL_EXPORT int pawl_generate(const pawl_call *call) {
  std::mt19937_64 random(pawl_seed(call));
  const auto rows = (int64_t)pawl_number(call, "ROWS"), nnz = (int64_t)pawl_number(call, "NNZ");
  auto indptr = (int64_t *)pawl_data(call, "indptr"), indices = (int64_t *)pawl_data(call, "indices");
  auto values = (double *)pawl_data(call, "values");
  indptr[0] = 0;
  for (int64_t r = 1; r < rows; ++r) indptr[r] = random() % (nnz + 1);
  indptr[rows] = nnz;
  std::sort(indptr, indptr + rows);
  for (int64_t i = 0; i < nnz; ++i) {
    indices[i] = random() % rows;
    values[i] = std::normal_distribution<double>()(random);
  }
  return 0;
}
