// Honest: a transpose that halves the longer side until a block is small.
#include "../tensors.hpp"

static void transpose(const float *x, float *y, int64_t M, int64_t N, int64_t rows, int64_t columns) {
  if (rows <= 8 && columns <= 8) {
    for (int64_t i = 0; i < rows; i++)
      for (int64_t j = 0; j < columns; j++) y[j * M + i] = x[i * N + j];
  } else if (rows >= columns) {
    transpose(x, y, M, N, rows / 2, columns);
    transpose(x + rows / 2 * N, y + rows / 2, M, N, rows - rows / 2, columns);
  } else {
    transpose(x, y, M, N, rows, columns / 2);
    transpose(x + columns / 2, y + columns / 2 * M, M, N, rows, columns - columns / 2);
  }
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const int64_t M = dim(call, 0), N = dim(call, 1);
  transpose(tensor<float>(call, 0), tensor<float>(call, 1), M, N, M, N);
  return 0;
}
