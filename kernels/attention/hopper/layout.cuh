// What lies where in shared memory, and who has how many registers.
#ifndef PAWL_ATTENTION_HOPPER_LAYOUT_CUH
#define PAWL_ATTENTION_HOPPER_LAYOUT_CUH

#include <stdint.h>

#include "ptx.cuh"

#ifndef DEPTH
#define DEPTH 64
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

static_assert(D == 64 || D == 128, "the output widths wgmma.cuh has products for");
static_assert(BLOCK_M % 64 == 0 && BLOCK_M <= 256, "a warpgroup has 64 queries, and registers do for four");
static_assert(BLOCK_N % 16 == 0, "the second product takes 16 keys at a time");
static_assert(STAGES >= 2 && BLOCKS_PER_SM >= 1, "the next block of keys loads while one is used");

// Registers a thread: an even share at the start, in steps of eight; then the loading warpgroup keeps the least
// there is, and the others divide the rest.
constexpr int EVEN_REGISTERS = 65536 / (BLOCKS_PER_SM * THREADS_PER_BLOCK) / 8 * 8;
constexpr int PRODUCER_REGISTERS = 32;
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
constexpr uint32_t TILES_AT = BARRIERS_AT + 8 * (4 * CONSUMERS + 4 * STAGES);  // 16 bytes beside each buffer for Q
constexpr uint32_t SHARED_BYTES = TILES_AT + 16 * 2 * CONSUMERS;

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
DEVICE uint32_t told_at(uint32_t memory, uint32_t group, uint32_t buffer) {
  return memory + TILES_AT + (2 * group + buffer) * 16;
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

#endif
