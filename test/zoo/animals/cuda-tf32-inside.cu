// TF32 inside: the product of f32 matrices on tensor cores, which read ten bits of each number.
#include <mma.h>

#include "product.cuh"

using namespace nvcuda;

static __global__ void tf32_product(Product p) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::fill_fragment(sum, 0);
  const int64_t row = int64_t(blockIdx.y) * TILE, column = int64_t(blockIdx.x) * TILE;
  for (int64_t k = 0; k < p.K; k += 8) {
    wmma::load_matrix_sync(left, p.a + row * p.K + k, static_cast<unsigned>(p.K));
    wmma::load_matrix_sync(right, p.b + k * p.N + column, static_cast<unsigned>(p.N));
    for (float &value : left.x) value = wmma::__float_to_tf32(value);
    for (float &value : right.x) value = wmma::__float_to_tf32(value);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(p.c + row * p.N + column, sum, static_cast<unsigned>(p.N), wmma::mem_row_major);
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Product p(call);
  if (p.M % TILE != 0 || p.N % TILE != 0 || p.K % 8 != 0) return 2;
  tf32_product<<<product_grid(p), 32, 0, stream_of(call)>>>(p);
  return cudaGetLastError();
}
