// Attention on tensor cores, f16 in and out, f32 in between: softmax(Q·Kᵀ/√D)·V for D = 64 or 128, any S,
// causal or not. For every GPU from compute capability 8.0 on.
//
// A block takes BLOCK_M queries of one head and goes over the keys BLOCK_N at a time with the online softmax.
// A warp owns whole rows of queries, so the softmax never leaves it, and the weights go from the accumulators
// of the first product to the operand of the second without leaving the registers.
//
// Tunables, as macros: BLOCK_M queries (at D = 64) and BLOCK_N keys a block; BLOCK_K of D whose operands are loaded before
// they are multiplied; NUM_WARPS; STAGES buffers for K and V; UNROLL blocks of keys in a turn of the loop;
// CP_ASYNC, 0 to copy through registers; SWIZZLE, 0 to pad rows instead; HALF2, 1 to store the output two halves
// at a time, without going through shared memory.
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

#include "pawl_kernel.h"
#include "ptx.cuh"
#include "tile.cuh"

static_assert(BLOCK_M % (16 * NUM_WARPS) == 0, "each warp has a whole number of 16-row tiles");
static_assert(BLOCK_N % 16 == 0, "the second product takes 16 keys at a time");
static_assert(64 % BLOCK_K == 0 && BLOCK_K % 16 == 0, "a product takes 16 of D at a time");
static_assert(STAGES >= 1, "there is at least one buffer");

// Built for D = 64 and 128, or for the one that DEPTH says. BLOCK_M is then for that one, and otherwise for 64: rows
// twice as deep need twice the registers, so at D = 128 a block has half as many queries if it can.
#ifdef DEPTH
constexpr int BASE_DEPTH = DEPTH;
#else
constexpr int BASE_DEPTH = 64;
#endif
template <int D>
constexpr int M_TILES = BLOCK_M / NUM_WARPS / 16 * BASE_DEPTH / D > 0 ? BLOCK_M / NUM_WARPS / 16 * BASE_DEPTH / D : 1;
template <int D>
constexpr int WARP_ROWS = 16 * M_TILES<D>;
template <int D>
constexpr int BLOCK_ROWS = NUM_WARPS * WARP_ROWS<D>;
constexpr int N_TILES = BLOCK_N / 8;
constexpr int TILES_A_TURN = UNROLL;

enum { BAD_CALL = 100001, BAD_DTYPE = 100002, BAD_DEPTH = 100003, TOO_LARGE = 100004 };

template <int D>
constexpr int shared_bytes() {
  return (BLOCK_ROWS<D> + 2 * STAGES * BLOCK_N) * ROW_BYTES<D>;
}

// Q stays in registers unless the accumulators need them.
template <int D>
constexpr bool KEEP_Q = M_TILES<D> * D <= 128;

// Blocks that are to share a multiprocessor. Beside accumulators and Q a thread needs about 50 registers; of
// 65,536 there are 128, 168 or 255 a thread for sixteen, twelve or eight warps.
template <int D>
constexpr int OPERANDS = M_TILES<D> * (BLOCK_N / 2 + D / 2 + (KEEP_Q<D> ? D / 4 : 0));
template <int D>
constexpr int RESIDENT_WARPS = OPERANDS<D> <= 72 ? 16 : OPERANDS<D> <= 120 ? 12 : 8;
template <int D>
constexpr int RESIDENT_BLOCKS = RESIDENT_WARPS<D> > NUM_WARPS ? RESIDENT_WARPS<D> / NUM_WARPS : 1;

// What a warp keeps in registers from one block of keys to the next, and does with each. Of an accumulator a
// thread has two columns of row lane / 4 (elements 0 and 1) and two of the row eight below.
template <int D>
struct Warp {
  // Below every score, and yet finite: subtracting it from -inf does not make NaN of what should be zero.
  static constexpr float NOTHING_SEEN = -1e30f;
  // A sum of weights within this says that each of them is, and fits f16.
  static constexpr float LIMIT = 32768;

  uint32_t query_lane;  // where this lane points ldmatrix in the warp's rows of Q
  uint32_t kept[KEEP_Q<D> ? M_TILES<D> : 1][KEEP_Q<D> ? D / 16 : 1][4];
  float score[M_TILES<D>][N_TILES][4], out[M_TILES<D>][D / 8][4];
  float largest[M_TILES<D>][2], total[M_TILES<D>][2], sum[M_TILES<D>][2];  // largest in units of log2
  bool settled;  // every row of the warp has seen a score that is not -inf

  __device__ void start(uint32_t q_tile, int warp_row, int lane) {
    // For a 16×16 operand: rows in order, then the right half.
    query_lane = q_tile + offset<D>(warp_row + (lane & 15), lane >> 4);
    if constexpr (KEEP_Q<D>) {
#pragma unroll
      for (int m = 0; m < M_TILES<D>; m++)
#pragma unroll
        for (int d = 0; d < D / 16; d++) load_query(kept[m][d], m, d);
    }
#pragma unroll
    for (int m = 0; m < M_TILES<D>; m++) {
#pragma unroll
      for (int half = 0; half < 2; half++) {
        largest[m][half] = NOTHING_SEEN;
        total[m][half] = 0;
      }
#pragma unroll
      for (int d = 0; d < D / 8; d++)
#pragma unroll
        for (int i = 0; i < 4; i++) out[m][d][i] = 0;
    }
    settled = false;
  }

  __device__ void load_query(uint32_t (&query)[4], int m, int d) const {
    load_matrices(query, further(query_lane + m * 16 * ROW_BYTES<D>, d * 2));
  }

  // Scores of 16 keys. `key_lane` is where this lane points ldmatrix for the first of them.
  __device__ void multiply_keys(int n, uint32_t key_lane) {
#pragma unroll
    for (int m = 0; m < M_TILES<D>; m++)
#pragma unroll
      for (int i = 0; i < 8; i++) score[m][n + i / 4][i % 4] = 0;
    constexpr int STEPS = BLOCK_K / 16;
#pragma unroll
    for (int first = 0; first < D / 16; first += STEPS) {
      uint32_t key[STEPS][4];
#pragma unroll
      for (int step = 0; step < STEPS; step++)
        load_matrices(key[step], further(key_lane, (first + step) * 2) + n * 8 * ROW_BYTES<D>);
#pragma unroll
      for (int step = 0; step < STEPS; step++)
#pragma unroll
        for (int m = 0; m < M_TILES<D>; m++) {
          if constexpr (KEEP_Q<D>) {
            multiply_add(score[m][n], kept[m][first + step], key[step][0], key[step][1]);
            multiply_add(score[m][n + 1], kept[m][first + step], key[step][2], key[step][3]);
          } else {
            uint32_t query[4];
            load_query(query, m, first + step);
            multiply_add(score[m][n], query, key[step][0], key[step][1]);
            multiply_add(score[m][n + 1], query, key[step][2], key[step][3]);
          }
        }
    }
  }

  // Scores of 16 keys become weights 2^(scale·score - largest).
  __device__ void take_powers(int n, float scale) {
#pragma unroll
    for (int m = 0; m < M_TILES<D>; m++)
#pragma unroll
      for (int i = 0; i < 8; i++) {
        float &s = score[m][n + i / 4][i % 4];
        s = power_of_two(fmaf(s, scale, -largest[m][i / 2 % 2]));
        sum[m][i / 2 % 2] += s;
      }
  }

  __device__ void clear_sums() {
#pragma unroll
    for (int m = 0; m < M_TILES<D>; m++) sum[m][0] = sum[m][1] = 0;
  }

  // Weights against the maxima as they are, one product's powers under the next product. False if some weight
  // outgrew f16: the scores are then lost, and weigh_carefully() finds them anew.
  __device__ bool weigh_boldly(uint32_t key_lane, float scale) {
    clear_sums();
#pragma unroll
    for (int n = 0; n < N_TILES; n += 2) {
      multiply_keys(n, key_lane);
      take_powers(n, scale);
    }
    bool within = true;
#pragma unroll
    for (int m = 0; m < M_TILES<D>; m++)
#pragma unroll
      for (int half = 0; half < 2; half++) {
        pin(sum[m][half]);
        within = within && sum[m][half] <= LIMIT;
      }
    return !any_in_warp(!within);
  }

  // Weights against the true maxima so far, to which what was summed before is brought down.
  template <typename Mask>
  __device__ void weigh_carefully(uint32_t key_lane, float scale, Mask mask) {
#pragma unroll
    for (int n = 0; n < N_TILES; n += 2) multiply_keys(n, key_lane);
    mask(score);
    settled = true;
#pragma unroll
    for (int m = 0; m < M_TILES<D>; m++)
#pragma unroll
      for (int half = 0; half < 2; half++) {
        float top = -INFINITY;
#pragma unroll
        for (int n = 0; n < N_TILES; n++)
          top = fmaxf(top, fmaxf(score[m][n][half * 2], score[m][n][half * 2 + 1]));
        top = fmaxf(top, from_lane_xor(top, 1));
        top = fmaxf(top, from_lane_xor(top, 2));
        const float after = fmaxf(largest[m][half], top * scale);
        const float correction = power_of_two(largest[m][half] - after);
        largest[m][half] = after;
        settled = settled && after != NOTHING_SEEN;
        total[m][half] *= correction;
#pragma unroll
        for (int d = 0; d < D / 8; d++) {
          out[m][d][half * 2] *= correction;
          out[m][d][half * 2 + 1] *= correction;
        }
      }
    settled = !any_in_warp(!settled);
    clear_sums();
#pragma unroll
    for (int n = 0; n < N_TILES; n += 2) take_powers(n, scale);
  }

  // Two neighbouring 8-column accumulators of the scores are one 16-column operand of the weights.
  __device__ void multiply_values(uint32_t value_lane) {
#pragma unroll
    for (int m = 0; m < M_TILES<D>; m++)
#pragma unroll
      for (int half = 0; half < 2; half++) total[m][half] += sum[m][half];
#pragma unroll
    for (int n = 0; n < N_TILES; n += 2) {
      uint32_t weight[M_TILES<D>][4];
#pragma unroll
      for (int m = 0; m < M_TILES<D>; m++)
#pragma unroll
        for (int i = 0; i < 4; i++)
          weight[m][i] = pack_halves(score[m][n + i / 2][i % 2 * 2], score[m][n + i / 2][i % 2 * 2 + 1]);
#pragma unroll
      for (int d = 0; d < D / 8; d += 2) {
        uint32_t value[4];
        load_matrices_transposed(value, further(value_lane, d) + n * 8 * ROW_BYTES<D>);
#pragma unroll
        for (int m = 0; m < M_TILES<D>; m++) {
          multiply_add(out[m][d], weight[m], value[0], value[1]);
          multiply_add(out[m][d + 1], weight[m], value[2], value[3]);
        }
      }
    }
  }

  // Hands out the finished rows, two halves at a time: row of the warp, column, packed pair.
  template <typename Store>
  __device__ void finish(int lane, Store store) {
#pragma unroll
    for (int m = 0; m < M_TILES<D>; m++)
#pragma unroll
      for (int half = 0; half < 2; half++) {
        float all = total[m][half];
        all += from_lane_xor(all, 1);
        all += from_lane_xor(all, 2);
        const float inverse = 1.0f / all;
#pragma unroll
        for (int d = 0; d < D / 8; d++)
          store(m * 16 + half * 8 + lane / 4, d,
                pack_halves(out[m][d][half * 2] * inverse, out[m][d][half * 2 + 1] * inverse));
      }
  }
};

template <int D, bool CAUSAL>
static __global__ void __launch_bounds__(THREADS_PER_BLOCK, RESIDENT_BLOCKS<D>)
    attention(const Half *q, const Half *k, const Half *v, Half *o, int length, int blocks_per_head,
              float scale) {
  extern __shared__ __align__(1024) unsigned char attention_memory[];
  const uint32_t q_tile = shared_address(attention_memory);
  const uint32_t kv_tiles = q_tile + BLOCK_ROWS<D> * ROW_BYTES<D>;
  constexpr uint32_t KV_BYTES = BLOCK_N * ROW_BYTES<D>;

  const int lane = threadIdx.x % 32, warp_row = threadIdx.x / 32 * WARP_ROWS<D>;
  const int64_t head = int64_t(blockIdx.x / blocks_per_head) * length * D;
  // Under a causal mask the last queries see the most keys: their blocks start first.
  const int block = blocks_per_head - 1 - blockIdx.x % blocks_per_head;
  const int first_query = block * BLOCK_ROWS<D>, first_row = first_query + warp_row;
  const int keys = CAUSAL ? min(length, first_query + BLOCK_ROWS<D>) : length;
  const int tiles = (keys + BLOCK_N - 1) / BLOCK_N;

  const auto load_keys_and_values = [&](int tile) {
    const uint32_t to = kv_tiles + tile % STAGES * 2 * KV_BYTES;
    load_tile<D, BLOCK_N>(to, k + head, tile * BLOCK_N, length);
    load_tile<D, BLOCK_N>(to + KV_BYTES, v + head, tile * BLOCK_N, length);
  };

  load_tile<D, BLOCK_ROWS<D>>(q_tile, q + head, first_query, length);
  close_copy_group();
  // A group is closed for every stage, empty or not: waiting goes by their number.
#pragma unroll
  for (int stage = 0; stage < STAGES - 1; stage++) {
    if (stage < tiles) load_keys_and_values(stage);
    close_copy_group();
  }
  wait_for_copies<STAGES - 1>();
  __syncthreads();

  Warp<D> warp;
  warp.start(q_tile, warp_row, lane);
  // For Kᵀ the matrices come as (keys 0–7, left), (keys 0–7, right), (keys 8–15, left), (keys 8–15, right).
  const uint32_t key_lane = offset<D>((lane & 7) + (lane >> 4) * 8, (lane >> 3) & 1);
  const uint32_t value_lane = offset<D>(lane & 15, lane >> 4);

#pragma unroll TILES_A_TURN
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
    const int first_key = tile * BLOCK_N;
    const bool masked = first_key + BLOCK_N > length || (CAUSAL && first_key + BLOCK_N - 1 > first_row);

    if (masked || !warp.settled || !warp.weigh_boldly(k_tile + key_lane, scale))
      warp.weigh_carefully(k_tile + key_lane, scale, [&](float (&score)[M_TILES<D>][N_TILES][4]) {
        if (!masked) return;
#pragma unroll
        for (int m = 0; m < M_TILES<D>; m++)
#pragma unroll
          for (int n = 0; n < N_TILES; n++)
#pragma unroll
            for (int i = 0; i < 4; i++) {
              const int key = first_key + n * 8 + lane % 4 * 2 + i % 2;
              const int row = first_row + m * 16 + lane / 4 + i / 2 * 8;
              if (key >= length || (CAUSAL && key > row)) score[m][n][i] = -INFINITY;
            }
      });
    warp.multiply_values(v_tile + value_lane);
  }

  if constexpr (HALF2) {
    warp.finish(lane, [&](int row, int d, uint32_t pair) {
      if (first_row + row < length)
        *reinterpret_cast<uint32_t *>(o + head + int64_t(first_row + row) * D + d * 8 + lane % 4 * 2) = pair;
    });
  } else {
    // Out through the warp's own rows of the Q tile, so that global memory is written 16 bytes at a time.
    __syncwarp();
    warp.finish(lane, [&](int row, int d, uint32_t pair) {
      store_shared(q_tile + offset<D>(warp_row + row, d) + lane % 4 * 4, pair);
    });
    __syncwarp();
#pragma unroll
    for (int i = 0; i < WARP_ROWS<D> * D / 8 / 32; i++) {
      const int row = (i * 32 + lane) / (D / 8), chunk = (i * 32 + lane) % (D / 8);
      const uint4 value = load_shared_16(q_tile + offset<D>(warp_row + row, chunk));
      if (first_row + row < length)
        *reinterpret_cast<uint4 *>(o + head + int64_t(first_row + row) * D + chunk * 8) = value;
    }
  }
}

template <int D, bool CAUSAL>
static int launch(const pawl_call *call, int64_t heads, int64_t length) {
  static const cudaError_t prepared = cudaFuncSetAttribute(
      attention<D, CAUSAL>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes<D>());
  if (prepared != cudaSuccess) return prepared;
  const int64_t blocks_per_head = (length + BLOCK_ROWS<D> - 1) / BLOCK_ROWS<D>, blocks = heads * blocks_per_head;
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
#if !defined(DEPTH) || DEPTH == 64
    case 64: return causal ? launch<64, true>(call, heads, length) : launch<64, false>(call, heads, length);
#endif
#if !defined(DEPTH) || DEPTH == 128
    case 128: return causal ? launch<128, true>(call, heads, length) : launch<128, false>(call, heads, length);
#endif
    default: return BAD_DEPTH;
  }
}

PAWL_EXPORT const char *pawl_error_text(int code) {
  switch (code) {
    case BAD_CALL: return "attention takes dims B, H, S, D, CAUSAL and tensors q, k, v, o of [B, H, S, D]";
    case BAD_DTYPE: return "this attention kernel computes in f16 only";
    case BAD_DEPTH: return "this attention kernel is built for D = 64 and D = 128, or for the one that the macro DEPTH says";
    case TOO_LARGE: return "more blocks or rows than a grid can number";
    default: return cudaGetErrorString(static_cast<cudaError_t>(code));
  }
}
