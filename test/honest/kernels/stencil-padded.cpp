// Honest: copies its input into a padded grid that it keeps, and computes from there without edges.
#include <cstring>
#include <vector>

#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static std::vector<float> grid;
  const int64_t M = dim(call, 0), N = dim(call, 1), W = N + 2;
  grid.assign(static_cast<size_t>((M + 2) * W), 0);
  for (int64_t i = 0; i < M; i++)
    std::memcpy(&grid[static_cast<size_t>((i + 1) * W + 1)], tensor<float>(call, 0) + i * N,
                static_cast<size_t>(N) * sizeof(float));
  for (int64_t i = 0; i < M; i++)
    for (int64_t j = 0; j < N; j++) {
      const float *at = &grid[static_cast<size_t>((i + 1) * W + j + 1)];
      tensor<float>(call, 1)[i * N + j] = at[-W] + at[W] + at[-1] + at[1] - 4 * *at;
    }
  return 0;
}
