/** A product of two tiles in shared memory: every thread has a column of the result. */
#pragma once

namespace tile {

template <int Depth, class Left, class Right>
__device__ __forceinline__ void gemm(float (&acc)[8], const Left& left, const Right& right) {
  const int column = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < Depth; ++k) {
    const float b = right(k, column);
#pragma unroll
    for (int m = 0; m < 8; ++m) {
      acc[m] += left(m, k) * static_cast<double>(b);  // fault: stray-fp64
      //= acc[m] += left(m, k) * b;
    }
  }
}

}  // namespace tile
