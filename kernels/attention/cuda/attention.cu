// Attention on tensor cores, f16 in and out, f32 in between: softmax(Q·Kᵀ/√D)·V for D = 64 or 128, any S,
// causal or not. For every GPU from compute capability 8.0 on.
//
// A block takes BLOCK_M queries of one head and goes over the keys BLOCK_N at a time with the online softmax.
// A warp owns whole rows of queries, so the softmax never leaves it, and the weights go from the accumulators
// of the first product to the operand of the second without leaving the registers.
//
// Tunables, as macros: BLOCK_M queries and BLOCK_N keys a block; NUM_WARPS; STAGES buffers for K and V.
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

#include "pawl_kernel.h"
#include "ptx.cuh"

static_assert(BLOCK_M % (16 * NUM_WARPS) == 0, "each warp has a whole number of 16-row tiles");
static_assert(BLOCK_N % 16 == 0, "the second product takes 16 keys at a time");
static_assert(STAGES >= 1, "there is at least one buffer");

// Elements are only moved here; the tensor cores and the conversion instructions know what they mean.
typedef uint16_t Half;

constexpr int THREADS_PER_BLOCK = 32 * NUM_WARPS;
constexpr int WARP_ROWS = BLOCK_M / NUM_WARPS;
constexpr int M_TILES = WARP_ROWS / 16;
constexpr int N_TILES = BLOCK_N / 8;

enum { BAD_CALL = 100001, BAD_DTYPE = 100002, BAD_DEPTH = 100003, TOO_LARGE = 100004 };

template <int D>
constexpr int shared_bytes() {
  return (BLOCK_M + 2 * STAGES * BLOCK_N) * D * 2;
}

// Byte offset of a 16-byte chunk in a tile of D-element rows. The exclusive or spreads eight rows of one
// column over all banks, which is what ldmatrix reads.
template <int D>
DEVICE uint32_t offset(int row, int chunk) {
  return static_cast<uint32_t>(row * D * 2 + ((chunk ^ (row & 7)) << 4));
}

// Rows first … first + ROWS - 1 of one head into a tile; zeros past the end, so that 0 · weight stays 0.
template <int D, int ROWS>
DEVICE void load_tile(uint32_t tile, const Half *head, int first, int length) {
  for (int i = threadIdx.x; i < ROWS * D / 8; i += THREADS_PER_BLOCK) {
    const int row = i / (D / 8), chunk = i % (D / 8);
    const bool valid = first + row < length;
    const Half *from = head + (valid ? int64_t(first + row) * D + chunk * 8 : 0);
    copy_async(tile + offset<D>(row, chunk), from, valid);
  }
}

template <int D, bool CAUSAL>
static __global__ void __launch_bounds__(THREADS_PER_BLOCK)
    attention(const Half *q, const Half *k, const Half *v, Half *o, int length, int blocks_per_head,
              float scale) {
  extern __shared__ __align__(128) unsigned char attention_memory[];
  const uint32_t q_tile = shared_address(attention_memory);
  const uint32_t kv_tiles = q_tile + BLOCK_M * D * 2;
  constexpr uint32_t KV_BYTES = BLOCK_N * D * 2;

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int64_t head = int64_t(blockIdx.x / blocks_per_head) * length * D;
  // Under a causal mask the last queries see the most keys: their blocks start first.
  const int block = blocks_per_head - 1 - blockIdx.x % blocks_per_head;
  const int first_query = block * BLOCK_M;
  const int keys = CAUSAL ? min(length, first_query + BLOCK_M) : length;
  const int tiles = (keys + BLOCK_N - 1) / BLOCK_N;
  const int warp_row = warp * WARP_ROWS;

  auto load_keys_and_values = [&](int tile) {
    const uint32_t to = kv_tiles + tile % STAGES * 2 * KV_BYTES;
    load_tile<D, BLOCK_N>(to, k + head, tile * BLOCK_N, length);
    load_tile<D, BLOCK_N>(to + KV_BYTES, v + head, tile * BLOCK_N, length);
  };

  load_tile<D, BLOCK_M>(q_tile, q + head, first_query, length);
  close_copy_group();
  // A group is closed for every stage, empty or not: waiting goes by their number.
#pragma unroll
  for (int stage = 0; stage < STAGES - 1; stage++) {
    if (stage < tiles) load_keys_and_values(stage);
    close_copy_group();
  }
  wait_for_copies<STAGES - 1>();
  __syncthreads();

  // Where lanes 0…31 point ldmatrix for a 16×16 operand: rows in order, then the right half.
  const int pair_row = lane & 15, pair_chunk = lane >> 4;
  // For Kᵀ the matrices come as (keys 0–7, left), (keys 0–7, right), (keys 8–15, left), (keys 8–15, right).
  const int key_row = (lane & 7) + ((lane >> 4) << 3), key_chunk = (lane >> 3) & 1;
  // The accumulator's four elements: two columns of row lane / 4 and two of the row eight below.
  const int quad_row = lane >> 2, quad_column = (lane & 3) * 2;

  // Q stays in registers unless the accumulators need them.
  constexpr bool KEEP_Q = M_TILES * D <= 128;
  uint32_t kept[KEEP_Q ? M_TILES : 1][KEEP_Q ? D / 16 : 1][4];
  if constexpr (KEEP_Q) {
#pragma unroll
    for (int m = 0; m < M_TILES; m++)
#pragma unroll
      for (int d = 0; d < D / 16; d++)
        load_matrices(kept[m][d], q_tile + offset<D>(warp_row + m * 16 + pair_row, d * 2 + pair_chunk));
  }

  float out[M_TILES][D / 8][4] = {};
  float largest[M_TILES][2], total[M_TILES][2] = {};  // largest in units of log2
#pragma unroll
  for (int m = 0; m < M_TILES; m++) largest[m][0] = largest[m][1] = -INFINITY;

  for (int tile = 0; tile < tiles; tile++) {
    if constexpr (STAGES == 1) {
      __syncthreads();
      load_keys_and_values(tile);
      close_copy_group();
      wait_for_copies<0>();
      __syncthreads();
    } else {
      wait_for_copies<STAGES - 2>();
      // Tile `tile` is there for all threads, and all are done with the one before, whose buffer is next.
      __syncthreads();
      if (tile + STAGES - 1 < tiles) load_keys_and_values(tile + STAGES - 1);
      close_copy_group();
    }
    const uint32_t k_tile = kv_tiles + tile % STAGES * 2 * KV_BYTES, v_tile = k_tile + KV_BYTES;

    float score[M_TILES][N_TILES][4] = {};
#pragma unroll
    for (int d = 0; d < D / 16; d++) {
      uint32_t query[M_TILES][4];
#pragma unroll
      for (int m = 0; m < M_TILES; m++) {
        if constexpr (KEEP_Q) {
#pragma unroll
          for (int i = 0; i < 4; i++) query[m][i] = kept[m][d][i];
        } else {
          load_matrices(query[m], q_tile + offset<D>(warp_row + m * 16 + pair_row, d * 2 + pair_chunk));
        }
      }
#pragma unroll
      for (int n = 0; n < N_TILES; n += 2) {
        uint32_t key[4];
        load_matrices(key, k_tile + offset<D>(n * 8 + key_row, d * 2 + key_chunk));
#pragma unroll
        for (int m = 0; m < M_TILES; m++) {
          multiply_add(score[m][n], query[m], key[0], key[1]);
          multiply_add(score[m][n + 1], query[m], key[2], key[3]);
        }
      }
    }

    const int first_key = tile * BLOCK_N, first_row = first_query + warp_row;
    if (first_key + BLOCK_N > length || (CAUSAL && first_key + BLOCK_N - 1 > first_row)) {
#pragma unroll
      for (int m = 0; m < M_TILES; m++)
#pragma unroll
        for (int n = 0; n < N_TILES; n++)
#pragma unroll
          for (int i = 0; i < 4; i++) {
            const int key = first_key + n * 8 + quad_column + (i & 1);
            const int row = first_row + m * 16 + quad_row + (i >> 1) * 8;
            if (key >= length || (CAUSAL && key > row)) score[m][n][i] = -INFINITY;
          }
    }

#pragma unroll
    for (int m = 0; m < M_TILES; m++)
#pragma unroll
      for (int half = 0; half < 2; half++) {
        float top = score[m][0][half * 2];
#pragma unroll
        for (int n = 0; n < N_TILES; n++)
          top = fmaxf(top, fmaxf(score[m][n][half * 2], score[m][n][half * 2 + 1]));
        top = fmaxf(top, from_lane_xor(top, 1));
        top = fmaxf(top, from_lane_xor(top, 2));
        const float after = fmaxf(largest[m][half], top * scale);
        // While a row has seen nothing but -inf, subtracting it would make NaN of what should be zero.
        const float shift = after == -INFINITY ? 0.0f : after;
        const float correction = power_of_two(largest[m][half] - shift);
        largest[m][half] = after;
        float sum = 0;
#pragma unroll
        for (int n = 0; n < N_TILES; n++)
#pragma unroll
          for (int i = half * 2; i < half * 2 + 2; i++) {
            score[m][n][i] = power_of_two(fmaf(score[m][n][i], scale, -shift));
            sum += score[m][n][i];
          }
        total[m][half] = total[m][half] * correction + sum;
#pragma unroll
        for (int d = 0; d < D / 8; d++) {
          out[m][d][half * 2] *= correction;
          out[m][d][half * 2 + 1] *= correction;
        }
      }

    // Two neighbouring 8-column accumulators of the scores are one 16-column operand of the weights.
#pragma unroll
    for (int n = 0; n < N_TILES; n += 2) {
      uint32_t weight[M_TILES][4];
#pragma unroll
      for (int m = 0; m < M_TILES; m++)
#pragma unroll
        for (int i = 0; i < 4; i++)
          weight[m][i] = pack_halves(score[m][n + i / 2][i % 2 * 2], score[m][n + i / 2][i % 2 * 2 + 1]);
#pragma unroll
      for (int d = 0; d < D / 8; d += 2) {
        uint32_t value[4];
        load_matrices_transposed(value, v_tile + offset<D>(n * 8 + pair_row, d + pair_chunk));
#pragma unroll
        for (int m = 0; m < M_TILES; m++) {
          multiply_add(out[m][d], weight[m], value[0], value[1]);
          multiply_add(out[m][d + 1], weight[m], value[2], value[3]);
        }
      }
    }
  }

  // Out through the warp's own rows of the Q tile, so that global memory is written 16 bytes at a time.
  __syncwarp();
#pragma unroll
  for (int m = 0; m < M_TILES; m++)
#pragma unroll
    for (int half = 0; half < 2; half++) {
      float sum = total[m][half];
      sum += from_lane_xor(sum, 1);
      sum += from_lane_xor(sum, 2);
      const float inverse = 1.0f / sum;
      const int row = warp_row + m * 16 + half * 8 + quad_row;
#pragma unroll
      for (int d = 0; d < D / 8; d++)
        store_shared(q_tile + offset<D>(row, d) + quad_column * 2,
                     pack_halves(out[m][d][half * 2] * inverse, out[m][d][half * 2 + 1] * inverse));
    }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < WARP_ROWS * D / 8 / 32; i++) {
    const int row = warp_row + (i * 32 + lane) / (D / 8), chunk = (i * 32 + lane) % (D / 8);
    const uint4 value = load_shared_16(q_tile + offset<D>(row, chunk));
    if (first_query + row < length)
      *reinterpret_cast<uint4 *>(o + head + int64_t(first_query + row) * D + chunk * 8) = value;
  }
}

template <int D, bool CAUSAL>
static int launch(const pawl_call *call, int64_t heads, int64_t length) {
  static const cudaError_t prepared = cudaFuncSetAttribute(
      attention<D, CAUSAL>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes<D>());
  if (prepared != cudaSuccess) return prepared;
  const int64_t blocks_per_head = (length + BLOCK_M - 1) / BLOCK_M, blocks = heads * blocks_per_head;
  if (blocks > INT32_MAX || length > INT32_MAX / 2) return TOO_LARGE;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(THREADS_PER_BLOCK);
  config.dynamicSmemBytes = shared_bytes<D>();
  config.stream = static_cast<cudaStream_t>(call->stream);
  const float log2_e = 1.44269504f;
  return cudaLaunchKernelEx(&config, attention<D, CAUSAL>, static_cast<const Half *>(call->tensors[0].data),
                            static_cast<const Half *>(call->tensors[1].data),
                            static_cast<const Half *>(call->tensors[2].data),
                            static_cast<Half *>(call->tensors[3].data), static_cast<int>(length),
                            static_cast<int>(blocks_per_head), log2_e / sqrtf(static_cast<float>(D)));
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  if (call->dim_count != 5 || call->tensor_count != 4) return BAD_CALL;
  for (int i = 0; i < 4; i++)
    if (call->tensors[i].dtype != PAWL_F16) return BAD_DTYPE;
  const int64_t heads = call->dims[0].value * call->dims[1].value, length = call->dims[2].value;
  const bool causal = call->dims[4].value != 0;
  switch (call->dims[3].value) {
    case 64: return causal ? launch<64, true>(call, heads, length) : launch<64, false>(call, heads, length);
    case 128: return causal ? launch<128, true>(call, heads, length) : launch<128, false>(call, heads, length);
    default: return BAD_DEPTH;
  }
}

PAWL_EXPORT const char *pawl_error_text(int code) {
  switch (code) {
    case BAD_CALL: return "attention takes dims B, H, S, D, CAUSAL and tensors q, k, v, o of [B, H, S, D]";
    case BAD_DTYPE: return "this attention kernel computes in f16 only";
    case BAD_DEPTH: return "this attention kernel is built for D = 64 and D = 128";
    case TOO_LARGE: return "more blocks or rows than a grid can number";
    default: return cudaGetErrorString(static_cast<cudaError_t>(code));
  }
}
