#include <cmath>
#include "pawl_judge.h"

PAWL_EXPORT int pawl_check(const pawl_call *call) {
  const auto m = (int64_t)pawl_number(call, "M"), n = (int64_t)pawl_number(call, "N");
  const auto a = (double *)pawl_data(call, "a"), q = (double *)pawl_data(call, "q"), r = (double *)pawl_data(call, "r");
  const double atol = pawl_number(call, "atol");
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < m; ++k) sum += q[k * n + i] * q[k * n + j];
      if (!(std::fabs(sum - (i == j)) <= atol)) return pawl_wrong(call, "the columns of q are not orthonormal");
      if (i > j && r[i * n + j] != 0) return pawl_wrong(call, "r is not upper triangular");
    }
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = -a[i * n + j];
      for (int64_t k = 0; k < n; ++k) sum += q[i * n + k] * r[k * n + j];
      if (!(std::fabs(sum) <= atol)) return pawl_wrong(call, "q times r is not a");
    }
  return pawl_right(call);
}
