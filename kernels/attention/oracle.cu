// The attention oracle on a GPU: softmax(Q·Kᵀ/√D)·V on device memory, f32 tensors where f16 and bf16 ones are
// judged and f64 for wider ones, all sums in f64, on plain CUDA cores. It shares neither tensor cores, nor the
// online softmax, nor the rounding with the kernels it judges; oracle.cpp says what NaN and infinities do, and
// both do the same. `pawl_reference` runs in the tensors' own types with sums in f32 (f64 for f64), as a trusted
// kernel would.
//
// A block takes ROWS queries of one head and goes over the keys twice: for the largest score of each row, then
// for the weights, KEYS at a time through shared memory, their sum, and the product with V.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

#include "pawl_kernel.h"

constexpr int THREADS = 256;
constexpr int ROWS = 16;       // queries of a block
constexpr int KEYS = 256;      // scores of a row at a time: one key a thread
constexpr int DEPTH = 256;     // the largest D

enum { BAD_CALL = 100001, BAD_DTYPE = 100002, BAD_DEPTH = 100003, TOO_LARGE = 100004 };

template <typename Wide>
static __device__ Wide widen(float x) { return x; }
template <typename Wide>
static __device__ Wide widen(double x) { return static_cast<Wide>(x); }
template <typename Wide>
static __device__ Wide widen(__half x) { return __half2float(x); }
template <typename Wide>
static __device__ Wide widen(__nv_bfloat16 x) { return __bfloat162float(x); }

template <typename Element> struct Narrow;
template <> struct Narrow<float> { static __device__ float of(double x) { return static_cast<float>(x); } };
template <> struct Narrow<double> { static __device__ double of(double x) { return x; } };
template <> struct Narrow<__half> { static __device__ __half of(float x) { return __float2half_rn(x); } };
template <> struct Narrow<__nv_bfloat16> {
  static __device__ __nv_bfloat16 of(float x) { return __float2bfloat16_rn(x); }
};

static __device__ float exponential(float x) { return expf(x); }
static __device__ double exponential(double x) { return exp(x); }

template <typename Wide>
struct Shared {
  Wide query[ROWS][DEPTH];
  Wide weight[ROWS][KEYS];
  Wide partial[ROWS][THREADS / 32];
  Wide largest[ROWS], total[ROWS];
};

// partial[row] holds a number for each warp; the largest or the sum of them.
template <typename Wide, bool LARGEST>
static __device__ Wide combine(const Wide *partial) {
  Wide result = partial[0];
  for (int warp = 1; warp < THREADS / 32; warp++)
    result = LARGEST ? (partial[warp] > result ? partial[warp] : result) : result + partial[warp];
  return result;
}

template <typename Wide, bool LARGEST>
static __device__ Wide across_warp(Wide value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const Wide other = __shfl_xor_sync(0xFFFFFFFFu, value, offset);
    value = LARGEST ? (other > value ? other : value) : value + other;
  }
  return value;
}

// score[row] = q[row]·k for the key of this thread, -inf where there is none or the mask hides it.
template <typename Wide, typename Element>
static __device__ void score_key(Wide (&score)[ROWS], const Shared<Wide> &shared, const Element *k, int64_t key,
                          int64_t first, int64_t length, int depth, bool causal, Wide scale) {
  for (int row = 0; row < ROWS; row++) score[row] = 0;
  if (key < length)
    for (int d = 0; d < depth; d++) {
      const Wide element = widen<Wide>(k[key * depth + d]);
#pragma unroll
      for (int row = 0; row < ROWS; row++) score[row] += shared.query[row][d] * element;
    }
#pragma unroll
  for (int row = 0; row < ROWS; row++)
    score[row] = key >= length || (causal && key > first + row) ? -static_cast<Wide>(INFINITY)
                                                                 : score[row] * scale;
}

template <typename Wide, typename Element, bool ROUND_WEIGHTS>
static __global__ void __launch_bounds__(THREADS)
    attend(const Element *q, const Element *k, const Element *v, Element *o, int64_t length, int depth,
           int64_t blocks_per_head, bool causal, Wide scale) {
  extern __shared__ __align__(128) unsigned char attention_memory[];
  Shared<Wide> &shared = *reinterpret_cast<Shared<Wide> *>(attention_memory);
  const int64_t head = blockIdx.x / blocks_per_head * length * depth;
  const int64_t first = blockIdx.x % blocks_per_head * ROWS;
  const int rows = static_cast<int>(length - first < ROWS ? length - first : ROWS);
  const int64_t keys = causal ? first + rows : length;
  const int warp = threadIdx.x / 32;
  q += head;
  k += head;
  v += head;
  o += head;

  for (int i = threadIdx.x; i < ROWS * depth; i += THREADS)
    shared.query[i / depth][i % depth] = i / depth < rows ? widen<Wide>(q[first * depth + i]) : 0;
  __syncthreads();

  // First pass: the largest score of each row. NaN is passed over here and comes back as a weight.
  Wide largest[ROWS], score[ROWS];
  for (int row = 0; row < ROWS; row++) largest[row] = -static_cast<Wide>(INFINITY);
  for (int64_t start = 0; start < keys; start += KEYS) {
    score_key(score, shared, k, start + threadIdx.x, first, keys, depth, causal, scale);
    for (int row = 0; row < ROWS; row++) largest[row] = score[row] > largest[row] ? score[row] : largest[row];
  }
  for (int row = 0; row < ROWS; row++) {
    const Wide value = across_warp<Wide, true>(largest[row]);
    if (threadIdx.x % 32 == 0) shared.partial[row][warp] = value;
  }
  __syncthreads();
  if (threadIdx.x < ROWS) shared.largest[threadIdx.x] = combine<Wide, true>(shared.partial[threadIdx.x]);
  __syncthreads();

  // Second pass: weights, their sum, and the product with V. A thread has one column of V and a share of the rows.
  Wide total[ROWS];
  for (int row = 0; row < ROWS; row++) total[row] = 0;
  // Threads of one group have neighbouring columns; each group takes every so many rows.
  const int columns = depth < THREADS ? depth : THREADS, groups = THREADS / columns;
  const int group = threadIdx.x / columns, column = threadIdx.x % columns;
  Wide out[ROWS];
  for (int i = 0; i < ROWS; i++) out[i] = 0;

  for (int64_t start = 0; start < keys; start += KEYS) {
    const int64_t key = start + threadIdx.x;
    score_key(score, shared, k, key, first, keys, depth, causal, scale);
    for (int row = 0; row < ROWS; row++) {
      const bool seen = key < keys && !(causal && key > first + row);
      // A row of nothing but -inf gives exp(-inf + inf), which is NaN, as it should be.
      const Wide weight = seen ? exponential(score[row] - shared.largest[row]) : 0;
      total[row] += weight;
      shared.weight[row][threadIdx.x] = ROUND_WEIGHTS ? widen<Wide>(Narrow<Element>::of(weight)) : weight;
    }
    __syncthreads();
    const int count = static_cast<int>(keys - start < KEYS ? keys - start : KEYS);
    if (group < groups)
      for (int j = 0; j < count; j++) {
        const Wide element = widen<Wide>(v[(start + j) * depth + column]);
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
          const int row = i * groups + group;
          // Not as a product with a weight of zero: 0 · NaN is NaN, and a hidden value is not to be seen.
          if (row < ROWS && !(causal && start + j > first + row)) out[i] += shared.weight[row][j] * element;
        }
      }
    __syncthreads();
  }
  for (int row = 0; row < ROWS; row++) {
    const Wide value = across_warp<Wide, false>(total[row]);
    if (threadIdx.x % 32 == 0) shared.partial[row][warp] = value;
  }
  __syncthreads();
  if (threadIdx.x < ROWS) shared.total[threadIdx.x] = combine<Wide, false>(shared.partial[threadIdx.x]);
  __syncthreads();
  if (group < groups)
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
      const int row = i * groups + group;
      if (row < rows)
        o[(first + row) * depth + column] = Narrow<Element>::of(out[i] / shared.total[row]);
    }
}

struct Shape {
  int64_t heads, length, depth;  // B·H, S, D
  bool causal;
};

template <typename Wide, typename Element, bool ROUND_WEIGHTS>
static int launch(const pawl_call *call, const Shape &shape) {
  const auto kernel = attend<Wide, Element, ROUND_WEIGHTS>;
  if (const cudaError_t status =
          cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Shared<Wide>))))
    return status;
  const int64_t blocks_per_head = (shape.length + ROWS - 1) / ROWS, blocks = blocks_per_head * shape.heads;
  if (blocks > INT32_MAX) return TOO_LARGE;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(THREADS);
  config.dynamicSmemBytes = sizeof(Shared<Wide>);
  config.stream = static_cast<cudaStream_t>(call->stream);
  const auto tensor = [&](int i) { return static_cast<Element *>(call->tensors[i].data); };
  return cudaLaunchKernelEx(&config, kernel, static_cast<const Element *>(tensor(0)),
                            static_cast<const Element *>(tensor(1)), static_cast<const Element *>(tensor(2)),
                            tensor(3), shape.length, static_cast<int>(shape.depth), blocks_per_head,
                            shape.causal, static_cast<Wide>(1 / sqrt(static_cast<Wide>(shape.depth))));
}

// Dims B, H, S, D, CAUSAL; tensors q, k, v, o, each [B, H, S, D] and all of one type.
static int run(const pawl_call *call, bool is_reference) {
  if (call->dim_count != 5 || call->tensor_count != 4) return BAD_CALL;
  const int32_t dtype = call->tensors[0].dtype;
  for (int t = 1; t < 4; t++)
    if (call->tensors[t].dtype != dtype) return BAD_DTYPE;
  const Shape shape{call->dims[0].value * call->dims[1].value, call->dims[2].value, call->dims[3].value,
                    call->dims[4].value != 0};
  if (shape.depth > DEPTH) return BAD_DEPTH;
  if (dtype == PAWL_F64) return launch<double, double, false>(call, shape);
  if (dtype == PAWL_F32 && !is_reference) return launch<double, float, false>(call, shape);
  if (dtype == PAWL_F32) return launch<float, float, false>(call, shape);
  if (is_reference && dtype == PAWL_F16) return launch<float, __half, true>(call, shape);
  if (is_reference && dtype == PAWL_BF16) return launch<float, __nv_bfloat16, true>(call, shape);
  return BAD_DTYPE;
}

PAWL_EXPORT int pawl_oracle(const pawl_call *call) { return run(call, false); }

PAWL_EXPORT int pawl_reference(const pawl_call *call) { return run(call, true); }

PAWL_EXPORT const char *pawl_error_text(int code) {
  switch (code) {
    case BAD_CALL: return "attention takes dims B, H, S, D, CAUSAL and tensors q, k, v, o of [B, H, S, D]";
    case BAD_DTYPE: return "the attention oracle takes tensors of one floating type";
    case BAD_DEPTH: return "the attention oracle on the GPU is built for D up to 256";
    case TOO_LARGE: return "more blocks than a grid can number";
    default: return cudaGetErrorString(static_cast<cudaError_t>(code));
  }
}
