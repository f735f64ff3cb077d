// What lies where in shared memory, who has how many registers, and which tile of the problem comes when.
#ifndef PAWL_ATTENTION_HOPPER_LAYOUT_CUH
#define PAWL_ATTENTION_HOPPER_LAYOUT_CUH

#include <stdint.h>

#include "ptx.cuh"

#ifndef DEPTH
#define DEPTH 64
#endif

#ifndef L2_ROOM
#define L2_ROOM 33554432
#endif

constexpr int D = DEPTH;
constexpr int ROW_BYTES = 128;  // 64 columns: exactly one row of the copy engine's 128-byte swizzle
constexpr int PANELS = D / 64;  // a tile is stored as panels of 64 columns, one after the other
constexpr int CONSUMERS = BLOCK_M / 64;
constexpr int CONSUMER_WARPS = 4 * CONSUMERS;
constexpr int WARPGROUPS = CONSUMERS + 1;  // the last one loads
constexpr int THREADS_PER_BLOCK = 128 * WARPGROUPS;
// With SELF, and without a mask, there is no loading warpgroup: the last one of those that compute asks for keys and
// values besides. Their turns say when a buffer is free, and the queries of a tile are held in registers.
template <bool CAUSAL>
constexpr bool LOADS_ITSELF = SELF && ORDERED && !CAUSAL && CONSUMERS > 1;
template <bool CAUSAL>
constexpr int THREADS = LOADS_ITSELF<CAUSAL> ? 128 * CONSUMERS : THREADS_PER_BLOCK;
template <bool CAUSAL>
constexpr bool HOLDS_QUERIES = HELD || LOADS_ITSELF<CAUSAL>;

static_assert(D == 64 || D == 128, "the output widths wgmma.cuh has products for");
static_assert(BLOCK_M % 64 == 0 && BLOCK_M <= 256, "a warpgroup has 64 queries, and registers do for four");
static_assert(BLOCK_N % 16 == 0, "the second product takes 16 keys at a time");
static_assert(STAGES >= 2 && BLOCKS_PER_SM >= 1, "the next block of keys loads while one is used");

// Registers a thread: an even share at the start, in steps of eight; then the loading warpgroup keeps the least
// there is, and the others divide the rest.
constexpr int EVEN_REGISTERS = 65536 / (BLOCKS_PER_SM * THREADS_PER_BLOCK) / 8 * 8;
constexpr int PRODUCER_REGISTERS = 24;
constexpr int SPARE_REGISTERS = (EVEN_REGISTERS * WARPGROUPS - PRODUCER_REGISTERS) / CONSUMERS / 8 * 8;
constexpr int CONSUMER_REGISTERS = SPARE_REGISTERS < 240 ? SPARE_REGISTERS : 240;
static_assert(CONSUMER_REGISTERS >= EVEN_REGISTERS, "a warpgroup can only claim more than it started with");

// Under a causal mask the first warpgroup of a tile has no use for the last blocks of keys, and gives them back
// while the values of its own last block are still to be multiplied: no buffer may be needed for both.
constexpr int MOST_UNUSED = (BLOCK_M - 64 + BLOCK_N - 1) / BLOCK_N;
static_assert(MOST_UNUSED < STAGES, "a warpgroup would wait for itself");

static_assert(!SELF || (!RESIDENT && STAGES >= 3), "keys and values are loaded for every tile, a block ahead at least");

constexpr int FIRST_TURN = 1;  // of the sixteen hardware barriers; 0 is __syncthreads

// Shared memory, in bytes. Panels start at multiples of 1024, where the swizzle pattern does.
constexpr uint32_t Q_PANEL_BYTES = 64 * ROW_BYTES;  // a warpgroup's queries
constexpr uint32_t Q_BYTES = PANELS * Q_PANEL_BYTES;
constexpr uint32_t KV_PANEL_BYTES = BLOCK_N * ROW_BYTES;
constexpr uint32_t KV_BYTES = PANELS * KV_PANEL_BYTES;
constexpr uint32_t OUT_PANEL_BYTES = 16 * ROW_BYTES;  // a warp's rows
constexpr uint32_t WARP_OUT_BYTES = PANELS * OUT_PANEL_BYTES;
constexpr uint32_t Q_AT = 0;  // two for each warpgroup, so that the next tile's Q loads while this one is used
constexpr uint32_t OUT_AT = Q_AT + 2 * CONSUMERS * Q_BYTES;
constexpr uint32_t K_AT = OUT_AT + CONSUMER_WARPS * WARP_OUT_BYTES;
constexpr uint32_t V_AT = K_AT + STAGES * KV_BYTES;
constexpr uint32_t BARRIERS_AT = V_AT + STAGES * KV_BYTES;
constexpr uint32_t SHARED_BYTES = BARRIERS_AT + 8 * (4 * CONSUMERS + 4 * STAGES);

static_assert(KV_PANEL_BYTES % 1024 == 0, "the swizzle pattern starts anew with every panel");

// One of a ring's buffers, and the parity of its turn.
struct Slot {
  uint32_t number, parity;
};
template <int COUNT>
DEVICE void move_on(Slot &slot) {
  slot.number++;
  if (slot.number == COUNT) slot = {0, slot.parity ^ 1};
}

DEVICE uint32_t queries_at(uint32_t memory, uint32_t group, uint32_t buffer) {
  return memory + Q_AT + (2 * group + buffer) * Q_BYTES;
}
DEVICE uint32_t keys_at(uint32_t memory, uint32_t stage) { return memory + K_AT + stage * KV_BYTES; }
DEVICE uint32_t values_at(uint32_t memory, uint32_t stage) { return memory + V_AT + stage * KV_BYTES; }

struct Barriers {
  uint32_t base;
  __device__ uint32_t k_full(uint32_t stage) const { return base + 8 * stage; }
  __device__ uint32_t k_empty(uint32_t stage) const { return base + 8 * (STAGES + stage); }
  __device__ uint32_t v_full(uint32_t stage) const { return base + 8 * (2 * STAGES + stage); }
  __device__ uint32_t v_empty(uint32_t stage) const { return base + 8 * (3 * STAGES + stage); }
  __device__ uint32_t q_full(uint32_t group, uint32_t buffer) const {
    return base + 8 * (4 * STAGES + 2 * group + buffer);
  }
  __device__ uint32_t q_empty(uint32_t group, uint32_t buffer) const {
    return base + 8 * (4 * STAGES + 2 * CONSUMERS + 2 * group + buffer);
  }
};

struct Maps {
  const CUtensorMap *q, *k, *v, *o;
};

// Where a chunk of 16 bytes lies under the 128-byte swizzle.
DEVICE uint32_t swizzled(uint32_t panel, unsigned row, unsigned chunk) {
  return panel + row * ROW_BYTES + ((chunk ^ row % 8) << 4);
}

// A tile's number as digits: adding to digits takes no division. Without a mask the inner one counts a head's tiles, whose
// K and V are in L2 then, and the outer one heads. Under a mask the inner one counts heads and the outer one their
// tiles, the long ones first, so that thread blocks end together; of all heads at once K and V would not fit the L2, so
// a section of heads comes after the other.
struct Place {
  int first_head, outer, inner;
};

struct Tile {
  int head, first_query, key_blocks;
};

struct Shape {
  int length, heads, query_blocks;
  int section_heads;
  Place step;  // from one of a thread block's tiles to its next, with a carry where a digit runs over
  int carry;
};

// With RESIDENT, where a head's keys and values all fit their buffers, a thread block takes whole heads and loads
// each once; otherwise, it takes every gridDim.x-th tile.
template <bool CAUSAL>
static __host__ __device__ __forceinline__ bool takes_heads(const Shape &shape) {
  return RESIDENT && !CAUSAL && shape.length <= STAGES * BLOCK_N;
}
template <bool CAUSAL>
static __host__ __device__ __forceinline__ int inner_count(const Shape &shape) {
  return CAUSAL ? shape.section_heads : shape.query_blocks;
}
// As many heads as the L2 has room for the K and V of, where they make whole sections; all, where those would be small.
static __host__ int count_section_heads(const Shape &shape) {
  const int64_t fitting = L2_ROOM / (int64_t(shape.length) * D * 2 * 2);
  const int least = fitting < 1 ? shape.heads : static_cast<int>((shape.heads + fitting - 1) / fitting);
  for (int sections = least; sections < 2 * least; sections++)
    if (shape.heads % sections == 0) return shape.heads / sections;
  return shape.heads;
}
template <bool CAUSAL>
static __host__ __device__ __forceinline__ Place place_of(int tile, const Shape &shape) {
  const int inner = tile % inner_count<CAUSAL>(shape), rest = tile / inner_count<CAUSAL>(shape);
  if (!CAUSAL) return {0, rest, inner};
  return {rest / shape.query_blocks * shape.section_heads, rest % shape.query_blocks, inner};
}
template <bool CAUSAL>
static __host__ void set_step(Shape &shape, int thread_blocks) {
  const bool heads = takes_heads<CAUSAL>(shape);
  shape.section_heads = count_section_heads(shape);
  shape.step = heads ? Place{0, 0, 1} : place_of<CAUSAL>(thread_blocks, shape);
  shape.carry = heads ? thread_blocks : 1;
}
template <bool CAUSAL>
DEVICE Place first_place(const Shape &shape) {
  const int block = blockIdx.x;
  if (takes_heads<CAUSAL>(shape)) return {0, block, 0};
  const Place place = place_of<CAUSAL>(block, shape);
  return {uniform(place.first_head), uniform(place.outer), uniform(place.inner)};
}
// False where there is no further tile.
template <bool CAUSAL>
DEVICE bool go_on(Place &place, const Shape &shape) {
  place.first_head += shape.step.first_head;
  place.outer += shape.step.outer;
  place.inner += shape.step.inner;
  if (place.inner >= inner_count<CAUSAL>(shape)) {
    place.inner -= inner_count<CAUSAL>(shape);
    place.outer += shape.carry;
  }
  if (!CAUSAL) return place.outer < shape.heads;
  if (place.outer >= shape.query_blocks) {
    place.outer -= shape.query_blocks;
    place.first_head += shape.section_heads;
  }
  return place.first_head < shape.heads;
}
template <bool CAUSAL>
DEVICE bool ends_head(const Place &place, const Shape &shape) {
  return !takes_heads<CAUSAL>(shape) || place.inner + 1 == shape.query_blocks;
}
template <bool CAUSAL>
DEVICE Tile tile_at(const Place &place, const Shape &shape) {
  const int block = CAUSAL ? shape.query_blocks - 1 - place.outer : place.inner;
  const int head = CAUSAL ? place.first_head + place.inner : place.outer;
  const int first_query = block * BLOCK_M;
  const int keys = CAUSAL ? min(shape.length, first_query + BLOCK_M) : shape.length;
  return {head, first_query, (keys + BLOCK_N - 1) / BLOCK_N};
}

#endif
