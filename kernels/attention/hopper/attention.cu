// Attention for Hopper (compute capability 9.0a), f16 in and out, D = 64, any S, causal or not:
// softmax(Q·Kᵀ/√D)·V. Design and cycle budget: NOTES.md.
//
// One thread asks the copy engine for tiles, and CONSUMERS warpgroups of 64 queries each compute: scores and
// output accumulate in registers by wgmma, the weights go from the scores' registers straight into the second
// product, and while the softmax of one block of keys runs the tensor cores multiply the weights of the block
// before. Blocks are persistent: each takes tile after tile of BLOCK_M queries.
//
// Tunables, as macros: BLOCK_M queries a tile (64 a warpgroup); BLOCK_N keys a block, 64 or 128; STAGES
// buffers for K and V; BLOCKS_PER_SM thread blocks that share a multiprocessor; ORDERED, 1 to have the
// warpgroups issue their products in turn (only without a mask, where all have the same number of them).
#include <cuda.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

#include "pawl_kernel.h"
#include "ptx.cuh"
#include "softmax.cuh"
#include "tensor-map.cuh"

constexpr int D = 64;
constexpr int ROW_BYTES = D * 2;  // 128: exactly one row of the copy engine's 128-byte swizzle
constexpr int CONSUMERS = BLOCK_M / 64;
constexpr int CONSUMER_WARPS = 4 * CONSUMERS;
constexpr int WARPGROUPS = CONSUMERS + 1;  // the last one loads
constexpr int THREADS_PER_BLOCK = 128 * WARPGROUPS;

// Registers a thread: an even share at the start, in steps of eight; then the loading warpgroup keeps the least
// there is, and the others divide the rest.
constexpr int EVEN_REGISTERS = 65536 / (BLOCKS_PER_SM * THREADS_PER_BLOCK) / 8 * 8;
constexpr int PRODUCER_REGISTERS = 24;
constexpr int SPARE_REGISTERS = (EVEN_REGISTERS * WARPGROUPS - PRODUCER_REGISTERS) / CONSUMERS / 8 * 8;
constexpr int CONSUMER_REGISTERS = SPARE_REGISTERS < 240 ? SPARE_REGISTERS : 240;
static_assert(CONSUMER_REGISTERS >= EVEN_REGISTERS, "a warpgroup can only claim more than it started with");

static_assert(BLOCK_M % 64 == 0 && BLOCK_M <= 256, "a warpgroup has 64 queries, a box at most 256 rows");
static_assert(BLOCK_N == 64 || BLOCK_N == 128, "the widths ptx.cuh has products for");
static_assert(STAGES >= 2 && BLOCKS_PER_SM >= 1, "the next block of keys loads while one is used");

constexpr int FIRST_TURN = 1;  // of the sixteen hardware barriers; 0 is __syncthreads

// Shared memory, in bytes. Tiles start at multiples of 1024, where the swizzle pattern does.
constexpr uint32_t Q_BYTES = BLOCK_M * ROW_BYTES;
constexpr uint32_t KV_BYTES = BLOCK_N * ROW_BYTES;
constexpr uint32_t WARP_OUT_BYTES = 16 * ROW_BYTES;
constexpr uint32_t Q_AT = 0;  // two, so that the next tile's Q loads while this one is used
constexpr uint32_t OUT_AT = Q_AT + 2 * Q_BYTES;
constexpr uint32_t K_AT = OUT_AT + CONSUMER_WARPS * WARP_OUT_BYTES;
constexpr uint32_t V_AT = K_AT + STAGES * KV_BYTES;
constexpr uint32_t BARRIERS_AT = V_AT + STAGES * KV_BYTES;
constexpr uint32_t SHARED_BYTES = BARRIERS_AT + 8 * (4 + 4 * STAGES);

enum Failure {
  BAD_CALL = 100001,  // clear of CUDA's own codes
  BAD_DTYPE,
  BAD_DEPTH,
  TOO_LARGE,
  NO_ENCODER,
  BAD_MAP
};

// Which of the two buffers of Q, or which stage of K and V, an index falls on, and the parity of its turn.
struct Slot {
  uint32_t number, parity;
};
template <int COUNT>
DEVICE Slot slot(uint32_t index) {
  return {index % COUNT, index / COUNT & 1};
}

struct Barriers {
  uint32_t base;
  __device__ uint32_t q_full(uint32_t buffer) const { return base + 8 * buffer; }
  __device__ uint32_t q_empty(uint32_t buffer) const { return base + 8 * (2 + buffer); }
  __device__ uint32_t k_full(uint32_t stage) const { return base + 8 * (4 + stage); }
  __device__ uint32_t k_empty(uint32_t stage) const { return base + 8 * (4 + STAGES + stage); }
  __device__ uint32_t v_full(uint32_t stage) const { return base + 8 * (4 + 2 * STAGES + stage); }
  __device__ uint32_t v_empty(uint32_t stage) const { return base + 8 * (4 + 3 * STAGES + stage); }
};

struct Tile {
  int head, first_query, key_blocks;
};

struct Shape {
  int length, heads, query_blocks;
};

// Without a mask, neighbours share a head, so its K and V are in L2; under one, the long tiles come first.
template <bool CAUSAL>
DEVICE Tile tile_at(int index, const Shape &shape) {
  const int block = CAUSAL ? shape.query_blocks - 1 - index / shape.heads : index % shape.query_blocks;
  const int head = CAUSAL ? index % shape.heads : index / shape.query_blocks;
  const int first_query = block * BLOCK_M;
  const int keys = CAUSAL ? min(shape.length, first_query + BLOCK_M) : shape.length;
  return {head, first_query, (keys + BLOCK_N - 1) / BLOCK_N};
}

// A wgmma descriptor for a tile of 128-byte rows under the 128-byte swizzle: eight rows (1024 bytes) to the
// next group, whichever way the operand runs; the other stride is unused when a row is one swizzle span.
DEVICE uint64_t describe(uint32_t address) {
  return uint64_t(address >> 4) | uint64_t(1) << 16 | uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}

template <bool CAUSAL>
DEVICE void produce(const CUtensorMap *q_map, const CUtensorMap *k_map, const CUtensorMap *v_map,
                    uint32_t memory, const Barriers &barriers, const Shape &shape) {
  uint32_t tiles = 0, blocks = 0;  // so far, over all tiles: they number the buffers
  for (int index = blockIdx.x; index < shape.heads * shape.query_blocks; index += gridDim.x, tiles++) {
    const Tile tile = tile_at<CAUSAL>(index, shape);
    const Slot q = slot<2>(tiles);
    barrier_wait(barriers.q_empty(q.number), q.parity ^ 1);
    barrier_expect(barriers.q_full(q.number), Q_BYTES);
    const uint32_t q_tile = memory + Q_AT + q.number * Q_BYTES;
    load_box(q_tile, q_map, barriers.q_full(q.number), tile.first_query, tile.head);
    for (int block = 0; block < tile.key_blocks; block++, blocks++) {
      const Slot kv = slot<STAGES>(blocks);
      const uint32_t k_tile = memory + K_AT + kv.number * KV_BYTES, v_tile = memory + V_AT + kv.number * KV_BYTES;
      barrier_wait(barriers.k_empty(kv.number), kv.parity ^ 1);
      barrier_expect(barriers.k_full(kv.number), KV_BYTES);
      load_box(k_tile, k_map, barriers.k_full(kv.number), block * BLOCK_N, tile.head);
      barrier_wait(barriers.v_empty(kv.number), kv.parity ^ 1);
      barrier_expect(barriers.v_full(kv.number), KV_BYTES);
      load_box(v_tile, v_map, barriers.v_full(kv.number), block * BLOCK_N, tile.head);
    }
  }
}

typedef float Output[D / 2];

DEVICE void multiply_keys(Scores &score, uint64_t q, uint64_t k) {
  products_begin();
#pragma unroll
  for (int d = 0; d < D / 16; d++) multiply_shared(score, q + d * (32 >> 4), k + d * (32 >> 4), d > 0);
  products_commit();
}

DEVICE void multiply_values(Output &out, const Weights &weight, uint64_t v) {
  products_begin();
#pragma unroll
  for (int n = 0; n < BLOCK_N / 16; n++)
    multiply_registers(out, weight[n], v + n * (16 * ROW_BYTES >> 4));
  products_commit();
}

// Each warp stores its own 16 rows; the copy engine leaves out those past the end of the head.
DEVICE void store_rows(const Output &out, const float (&total)[2], const CUtensorMap *o_map, uint32_t staged,
                       int first_row, int head, int length) {
  const int lane = threadIdx.x % 32;
  if (lane == 0) wait_for_stores();
  __syncwarp();
#pragma unroll
  for (int half = 0; half < 2; half++) {
    float sum = total[half];
    sum += from_lane_xor(sum, 1);
    sum += from_lane_xor(sum, 2);
    const float inverse = 1.0f / sum;
    const int row = lane / 4 + half * 8;
#pragma unroll
    for (int chunk = 0; chunk < D / 8; chunk++)
      store_shared(staged + row * ROW_BYTES + ((chunk ^ row % 8) << 4) + lane % 4 * 4,
                   pack_halves(out[chunk * 4 + half * 2] * inverse, out[chunk * 4 + half * 2 + 1] * inverse));
  }
  fence_for_copy_engine();
  __syncwarp();
  if (lane == 0 && first_row < length) store_box(o_map, staged, first_row, head);
}

// What a warpgroup does, block of keys after block of keys, on across the ends of tiles: the scores of the next
// block are under way when the values of this one are multiplied, whichever tile the next one belongs to.
template <bool CAUSAL>
DEVICE void consume(const CUtensorMap *o_map, uint32_t memory, const Barriers &barriers, const Shape &shape,
                    float scale) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, group = warp / 4;
  const int tile_count = shape.heads * shape.query_blocks;
  const uint32_t staged = memory + OUT_AT + warp * WARP_OUT_BYTES;
  const auto release = [&](uint32_t barrier) {
    if (lane == 0) barrier_arrive(barrier);
  };
  const auto keys = [&](Slot slot) { return describe(memory + K_AT + slot.number * KV_BYTES); };
  const auto values = [&](Slot slot) { return describe(memory + V_AT + slot.number * KV_BYTES); };
  // A group's turn ends when it has issued two products; its softmax then lies under the others' products.
  constexpr bool IN_TURN = ORDERED && !CAUSAL && CONSUMERS > 1;
  const int turn = FIRST_TURN + group, next_turn = FIRST_TURN + (group + 1) % CONSUMERS;
  if (IN_TURN && group == CONSUMERS - 1) end_turn(next_turn);

  Tile tile;
  int block, own_blocks;     // of the tile; the mask leaves later blocks to the groups below
  Slot q, kv;
  uint32_t tiles = 0, blocks = 0;  // so far; they number the buffers
  Softmax softmax;
  Scores score;
  Output out = {};
  Weights weight;
  float correction[2];

  const auto enter = [&](int index) {
    tile = tile_at<CAUSAL>(index, shape);
    const int last_query = tile.first_query + group * 64 + 63;
    own_blocks = CAUSAL ? min(tile.key_blocks, last_query / BLOCK_N + 1) : tile.key_blocks;
    block = 0;
    q = slot<2>(tiles++);
    barrier_wait(barriers.q_full(q.number), q.parity);
  };
  const auto queries = [&] { return describe(memory + Q_AT + q.number * Q_BYTES + group * 64 * ROW_BYTES); };
  const auto mask_where_needed = [&] {
    const int first_key = block * BLOCK_N, group_query = tile.first_query + group * 64;
    if (first_key + BLOCK_N > shape.length || (CAUSAL && first_key + BLOCK_N - 1 > group_query))
      mask<CAUSAL>(score, first_key, tile.first_query + warp * 16 + lane / 4, shape.length);
  };
  const auto start_softmax = [&] { softmax = {{-INFINITY, -INFINITY}, {0, 0}}; };

  int index = blockIdx.x;
  enter(index);
  start_softmax();
  kv = slot<STAGES>(blocks);
  barrier_wait(barriers.k_full(kv.number), kv.parity);
  multiply_keys(score, queries(), keys(kv));
  products_wait<0>();
  pin(score);
  release(barriers.k_empty(kv.number));
  mask_where_needed();
  weigh(score, softmax, correction, scale);
  round_weights(weight, score);

  while (true) {
    const Slot before = kv;
    const bool leaving = block + 1 == own_blocks;
    const Tile left = tile;
    if (leaving) {
      release(barriers.q_empty(q.number));
      // A buffer is refilled only when every warpgroup gave it back, also one that had no use for it.
      for (int unused = own_blocks; unused < tile.key_blocks; unused++) {
        kv = slot<STAGES>(blocks + unused);
        barrier_wait(barriers.k_full(kv.number), kv.parity);
        release(barriers.k_empty(kv.number));
        barrier_wait(barriers.v_full(kv.number), kv.parity);
        release(barriers.v_empty(kv.number));
      }
      blocks += tile.key_blocks;
      index += gridDim.x;
      if (index >= tile_count) {
        kv = before;
        break;
      }
      enter(index);
    } else {
      block++;
    }
    kv = slot<STAGES>(blocks + block);
    barrier_wait(barriers.k_full(kv.number), kv.parity);
    if (IN_TURN) await_turn(turn);
    multiply_keys(score, queries(), keys(kv));
    barrier_wait(barriers.v_full(before.number), before.parity);
    multiply_values(out, weight, values(before));
    if (IN_TURN) end_turn(next_turn);
    products_wait<1>();
    pin(score);
    release(barriers.k_empty(kv.number));
    // The softmax of this block, while the tensor cores multiply the values of the one before.
    const float total[2] = {softmax.total[0], softmax.total[1]};
    if (leaving) start_softmax();
    mask_where_needed();
    const bool outgrown = weigh(score, softmax, correction, scale);
    products_wait<0>();
    pin(out);
    release(barriers.v_empty(before.number));
    if (leaving) {
      store_rows(out, total, o_map, staged, left.first_query + warp * 16, left.head, shape.length);
#pragma unroll
      for (int i = 0; i < D / 2; i++) out[i] = 0;
    } else if (outgrown) {
#pragma unroll
      for (int i = 0; i < D / 2; i++) out[i] *= correction[i / 2 % 2];
    }
    round_weights(weight, score);
  }

  barrier_wait(barriers.v_full(kv.number), kv.parity);
  multiply_values(out, weight, values(kv));
  products_wait<0>();
  pin(out);
  release(barriers.v_empty(kv.number));
  store_rows(out, softmax.total, o_map, staged, tile.first_query + warp * 16, tile.head, shape.length);
  if (lane == 0) wait_for_stores();
}

template <bool CAUSAL>
static __global__ void __launch_bounds__(THREADS_PER_BLOCK, BLOCKS_PER_SM)
    attention(const __grid_constant__ CUtensorMap q_map, const __grid_constant__ CUtensorMap k_map,
              const __grid_constant__ CUtensorMap v_map, const __grid_constant__ CUtensorMap o_map, Shape shape,
              float scale) {
  extern __shared__ __align__(1024) unsigned char attention_memory[];
  const uint32_t memory = shared_address(attention_memory);
  const Barriers barriers = {memory + BARRIERS_AT};
  if (threadIdx.x == 0) {
    for (int buffer = 0; buffer < 2; buffer++) {
      barrier_init(barriers.q_full(buffer), 1);
      barrier_init(barriers.q_empty(buffer), CONSUMER_WARPS);
    }
    for (int stage = 0; stage < STAGES; stage++) {
      barrier_init(barriers.k_full(stage), 1);
      barrier_init(barriers.k_empty(stage), CONSUMER_WARPS);
      barrier_init(barriers.v_full(stage), 1);
      barrier_init(barriers.v_empty(stage), CONSUMER_WARPS);
    }
    barrier_init_fence();
  }
  __syncthreads();
  if (threadIdx.x >= 32 * CONSUMER_WARPS) {
    release_registers<PRODUCER_REGISTERS>();
    if (threadIdx.x == 32 * CONSUMER_WARPS) {
      prefetch_map(&q_map);
      prefetch_map(&k_map);
      prefetch_map(&v_map);
      prefetch_map(&o_map);
      produce<CAUSAL>(&q_map, &k_map, &v_map, memory, barriers, shape);
    }
  } else {
    claim_registers<CONSUMER_REGISTERS>();
    consume<CAUSAL>(&o_map, memory, barriers, shape, scale);
  }
}

template <bool CAUSAL>
static int launch(const pawl_call *call, const Shape &shape) {
  static const Device device;
  static const cudaError_t prepared =
      cudaFuncSetAttribute(attention<CAUSAL>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES);
  if (device.encoder == nullptr) return NO_ENCODER;
  if (device.status != cudaSuccess) return device.status;
  if (prepared != cudaSuccess) return prepared;

  // Tensors move between calls, so the maps are encoded anew: about a microsecond on the host.
  CUtensorMap maps[4];
  const uint32_t rows[] = {BLOCK_M, BLOCK_N, BLOCK_N, 16};
  for (int i = 0; i < 4; i++)
    if (!encode(device.encoder, &maps[i], call->tensors[i].data, shape.heads, shape.length, D, rows[i]))
      return BAD_MAP;

  cudaLaunchConfig_t config = {};
  const int tiles = shape.heads * shape.query_blocks, resident = device.processors * BLOCKS_PER_SM;
  config.gridDim = dim3(static_cast<unsigned>(tiles < resident ? tiles : resident));
  config.blockDim = dim3(THREADS_PER_BLOCK);
  config.dynamicSmemBytes = SHARED_BYTES;
  config.stream = static_cast<cudaStream_t>(call->stream);
  const float log2_e = 1.44269504f;
  return cudaLaunchKernelEx(&config, attention<CAUSAL>, maps[0], maps[1], maps[2], maps[3], shape,
                            log2_e / sqrtf(static_cast<float>(D)));
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  if (call->dim_count != 5 || call->tensor_count != 4) return BAD_CALL;
  for (int i = 0; i < 4; i++)
    if (call->tensors[i].dtype != PAWL_F16) return BAD_DTYPE;
  if (call->dims[3].value != D) return BAD_DEPTH;
  const int64_t heads = call->dims[0].value * call->dims[1].value, length = call->dims[2].value;
  const int64_t query_blocks = (length + BLOCK_M - 1) / BLOCK_M;
  if (length > INT32_MAX / 2 || heads > INT32_MAX || heads * query_blocks > INT32_MAX / 2) return TOO_LARGE;
  const Shape shape = {static_cast<int>(length), static_cast<int>(heads), static_cast<int>(query_blocks)};
  return call->dims[4].value != 0 ? launch<true>(call, shape) : launch<false>(call, shape);
}

PAWL_EXPORT const char *pawl_error_text(int code) {
  switch (code) {
    case BAD_CALL: return "attention takes dims B, H, S, D, CAUSAL and tensors q, k, v, o of [B, H, S, D]";
    case BAD_DTYPE: return "this attention kernel computes in f16 only";
    case BAD_DEPTH: return "this attention kernel is built for D = 64";
    case TOO_LARGE: return "more tiles or rows than an int can number";
    case NO_ENCODER: return "the driver has no cuTensorMapEncodeTiled: it is older than CUDA 12";
    case BAD_MAP: return "the driver refused a tensor map for q, k, v or o";
    default: return cudaGetErrorString(static_cast<cudaError_t>(code));
  }
}
