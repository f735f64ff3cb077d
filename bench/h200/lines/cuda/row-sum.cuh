/** Sums of rows of a tile in shared memory. */
#pragma once

__device__ __forceinline__ float row_sum(const float* tile, int row, int from) {
  float sum = 0;
  for (int k = 0; k < 8; ++k) {
    sum += tile[row * 32 + (from + k) % 32];  // fault: bank-conflicts
    //= sum += tile[row * 33 + (from + k) % 32];
  }
  return sum;
}
