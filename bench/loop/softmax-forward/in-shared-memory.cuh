// A row lives in shared memory: 50,257 numbers are 201 kB, and an SM has 227. It is read from memory once, in eight pieces
// that the copy engine brings, and each piece is replaced by that of the next row as soon as its results are written. So
// reading goes on while a row is written, and nothing is read twice.
#pragma once

#include "two-passes.cuh"

constexpr int PIECES = 8;
constexpr int PIECE = 6400;  // numbers
constexpr int ROW_THREADS = 1024;

__device__ inline uint32_t shared_address(const void *pointer) { return (uint32_t)__cvta_generic_to_shared(pointer); }

__device__ inline void wait_for(uint64_t *barrier, int parity) {
  asm volatile(
      "{\n.reg .pred done;\nagain:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n}\n" ::"r"(shared_address(barrier)), "r"(parity) : "memory");
}

__device__ inline void fetch(float *to, const float *from, int numbers, uint64_t *barrier) {
  const uint32_t bytes = numbers * 4;
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
  if (bytes == 0) return;
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to)),
               "l"(from), "r"(bytes), "r"(shared_address(barrier))
               : "memory");
}

// A row as the copy engine sees it: from the group of four that it begins in, in whole groups.
struct Row {
  const float *from;
  int shift, whole, behind;
  __device__ Row(const float *inp, int64_t row, int C)
      : from(inp + row * C / 4 * 4), shift((int)(row * C % 4)), whole((C + shift) / 4 * 4), behind((C + shift) % 4) {}
  __device__ int numbers(int piece) const { return max(0, min(PIECE, whole - piece * PIECE)); }
};

__global__ void __launch_bounds__(ROW_THREADS, 1) softmax_rows(float *__restrict__ out, const float *__restrict__ inp, int N, int C) {
  extern __shared__ __align__(128) float held[];
  __shared__ uint64_t arrived[PIECES];
  if (threadIdx.x == 0)
    for (int piece = 0; piece < PIECES; piece++)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(arrived + piece)) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x < N) {
    const Row first(inp, blockIdx.x, C);
    for (int piece = 0; piece < PIECES; piece++)
      fetch(held + piece * PIECE, first.from + piece * PIECE, first.numbers(piece), arrived + piece);
  }
  int parity = 0;
  for (int64_t at = blockIdx.x; at < N; at += gridDim.x, parity ^= 1) {
    const Row row(inp, at, C);
    Running running = {-INFINITY, 0};
    // The engine copies groups of sixteen bytes; what is left of the row comes by ordinary loads.
    const float last = threadIdx.x < row.behind ? row.from[row.whole + threadIdx.x] : 0;
    const bool counts = threadIdx.x < row.behind && row.whole + (int)threadIdx.x >= row.shift;
    if (counts) take(running, last);
    for (int piece = 0; piece < PIECES; piece++) {
      wait_for(arrived + piece, parity);
      const float4 *x = reinterpret_cast<const float4 *>(held + piece * PIECE);
      for (int i = threadIdx.x; i < row.numbers(piece) / 4; i += ROW_THREADS) {
        float4 v = x[i];
        if (piece == 0 && i == 0) {
          if (row.shift > 0) v.x = -INFINITY;
          if (row.shift > 1) v.y = -INFINITY;
          if (row.shift > 2) v.z = -INFINITY;
        }
        take(running, v);
      }
    }
    running = of_block<ROW_THREADS>(running);
    const float most = running.most, scale = 1 / running.sum;
    float *y = out + (row.from - inp);
    if (counts) y[row.whole + threadIdx.x] = __expf(last - most) * scale;
    const Row next(inp, at + gridDim.x, C);
    for (int piece = 0; piece < PIECES; piece++) {
      const float4 *x = reinterpret_cast<const float4 *>(held + piece * PIECE);
      for (int i = threadIdx.x; i < row.numbers(piece) / 4; i += ROW_THREADS) {
        const float4 v = x[i];
        const float4 result = make_float4(__expf(v.x - most) * scale, __expf(v.y - most) * scale,
                                          __expf(v.z - most) * scale, __expf(v.w - most) * scale);
        float *to = y + piece * PIECE + 4 * i;
        if (piece == 0 && i == 0 && row.shift > 0) {
          // What is before belongs to the row before.
          if (row.shift < 2) to[1] = result.y;
          if (row.shift < 3) to[2] = result.z;
          to[3] = result.w;
        } else {
          __stcs(reinterpret_cast<float4 *>(to), result);
        }
      }
      __syncthreads();
      if (threadIdx.x == 0 && at + gridDim.x < N)
        fetch(held + piece * PIECE, next.from + piece * PIECE, next.numbers(piece), arrived + piece);
    }
  }
}

void softmax_held(float *out, const float *inp, int N, int C) {
  const bool isAligned = (uintptr_t)out % 16 == 0 && (uintptr_t)inp % 16 == 0;
  if (!isAligned || C + 3 > PIECES * PIECE) return softmax_twice(out, inp, N, C);
  const int bytes = PIECES * PIECE * 4;
  int device = 0, processors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaFuncSetAttribute(softmax_rows, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  softmax_rows<<<min(N, processors), ROW_THREADS, bytes>>>(out, inp, N, C);
}
