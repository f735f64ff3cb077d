#include <cuda_runtime.h>

static int blocks = 0;

void setup() { blocks = 132; }

__global__ void add_rows(float *out, float *parts, float *x, int rows, int cols) {
  for (int col = threadIdx.x; col < cols; col += blockDim.x) {
    float sum = 0;
    for (int row = 0; row < rows; row++) sum += x[row * cols + col];
    out[col] = sum;
  }
}

void sums(int variant, float *out, float *parts, float *x, int rows, int cols, int block_size) {
  add_rows<<<1, block_size>>>(out, parts, x, rows, cols);
}
