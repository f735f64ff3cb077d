// Honest: the product of matrices, in tiles, on the caller's stream.
#include "product.cuh"

static __global__ void multiply(Product p) { product_tile(p.a, p.b, p.c, p.M, p.N, p.K); }

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const Product p(call);
  multiply<<<product_grid(p), dim3(TILE, TILE), 0, stream_of(call)>>>(p);
  return cudaGetLastError();
}
