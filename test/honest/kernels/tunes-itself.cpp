// Honest: times two orders of its loops in its first calls, and keeps to the faster one.
#include <chrono>

#include "../tensors.hpp"

template <bool BY_ROWS>
static void transpose(const float *x, float *y, int64_t M, int64_t N) {
  for (int64_t outer = 0; outer < (BY_ROWS ? M : N); outer++)
    for (int64_t inner = 0; inner < (BY_ROWS ? N : M); inner++) {
      const int64_t i = BY_ROWS ? outer : inner, j = BY_ROWS ? inner : outer;
      y[j * M + i] = x[i * N + j];
    }
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static int calls = 0;
  static double spent[2] = {};
  const bool by_rows = calls < 6 ? calls % 2 == 0 : spent[1] < spent[0];
  const auto from = std::chrono::steady_clock::now();
  (by_rows ? transpose<true> : transpose<false>)(tensor<float>(call, 0), tensor<float>(call, 1), dim(call, 0),
                                                dim(call, 1));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - from;
  if (calls++ < 6) spent[by_rows] += took.count();
  return 0;
}
