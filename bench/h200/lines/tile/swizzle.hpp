/** Addresses of a tile whose columns are exchanged per row, so that no two lanes meet in a bank. */
#pragma once

namespace tile {

template <int Columns>
struct Swizzled {
  static constexpr int Rows = 32;
  __device__ __forceinline__ static float read(const float* data, int row, int column) {
    return data[row * Columns + (column ^ (row / 32))];  // fault: bank-conflicts
    //= return data[row * Columns + (column ^ (row % 32))];
  }
};

}  // namespace tile
