/** The example kernel for a GPU: one block a row. Both of its tunables change the machine code. */
export const CUDA_KERNEL = `// Softmax of every row of x, one block a row. Tunables (pawl.yaml) arrive as macros of the same name:
//   THREADS  threads that share a row
//   UNROLL   columns each thread has in flight at once
#include "pawl_kernel.h"

#include <cmath>

#include <cuda_runtime.h>

namespace {

constexpr int warp_size = 32;
constexpr int warps = THREADS / warp_size;
constexpr int in_flight = UNROLL;

struct Maximum {
  static constexpr float neutral = -INFINITY;
  __device__ static float combine(float a, float b) { return fmaxf(a, b); }
};

struct Sum {
  static constexpr float neutral = 0.0f;
  __device__ static float combine(float a, float b) { return a + b; }
};

// The same result in every thread of the block.
template <typename Operation>
__device__ float reduce_block(float value) {
  __shared__ float partial[warps];
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    value = Operation::combine(value, __shfl_xor_sync(0xffffffffu, value, distance));
  if (threadIdx.x % warp_size == 0) partial[threadIdx.x / warp_size] = value;
  __syncthreads();
  float result = Operation::neutral;
  for (int warp = 0; warp < warps; warp++) result = Operation::combine(result, partial[warp]);
  __syncthreads();  // before partial is used again
  return result;
}

__global__ void __launch_bounds__(THREADS) softmax(const float *x, float *y, int64_t cols) {
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;

  float largest = Maximum::neutral;
#pragma unroll in_flight
  for (int64_t col = threadIdx.x; col < cols; col += THREADS) largest = fmaxf(largest, x[col]);
  largest = reduce_block<Maximum>(largest);

  float sum = 0.0f;
#pragma unroll in_flight
  for (int64_t col = threadIdx.x; col < cols; col += THREADS) sum += expf(x[col] - largest);
  sum = reduce_block<Sum>(sum);

#pragma unroll in_flight
  for (int64_t col = threadIdx.x; col < cols; col += THREADS) y[col] = expf(x[col] - largest) / sum;
}

}  // namespace

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  // Tensors and dimensions come in the order of pawl.yaml.
  const float *x = static_cast<const float *>(call->tensors[0].data);
  float *y = static_cast<float *>(call->tensors[1].data);
  const int64_t rows = call->dims[0].value;
  const int64_t cols = call->dims[1].value;
  // On Pawl's stream, and without waiting: Pawl times the work, not the launch.
  softmax<<<static_cast<unsigned>(rows), THREADS, 0, static_cast<cudaStream_t>(call->stream)>>>(x, y, cols);
  return static_cast<int>(cudaGetLastError());
}

PAWL_EXPORT const char *pawl_error_text(int code) {
  return cudaGetErrorString(static_cast<cudaError_t>(code));
}
`;
