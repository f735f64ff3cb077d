// The loading thread: tile after tile, Q as its buffers come free, K and V through their rings. Under a mask it also
// finds out which tile is next, and tells the warpgroups beside the queries.
#ifndef PAWL_ATTENTION_HOPPER_PRODUCE_CUH
#define PAWL_ATTENTION_HOPPER_PRODUCE_CUH

#include "schedule.cuh"

#ifndef HINT
#define HINT 1
#endif

DEVICE void load_panels(uint32_t to, uint32_t panel_bytes, const CUtensorMap *map, uint32_t barrier, int row,
                        int head, bool once = false) {
  barrier_expect(barrier, PANELS * panel_bytes);
#pragma unroll
  for (int panel = 0; panel < PANELS; panel++)
    if (once)
      load_box_once(to + panel * panel_bytes, map, barrier, panel * 64, row, head);
    else
      load_box(to + panel * panel_bytes, map, barrier, panel * 64, row, head);
}

// What a warpgroup that also loads asks for: the keys and values of one block at once, in the buffers that come next.
struct Supply {
  const CUtensorMap *q_map, *k_map, *v_map;
  uint32_t memory;
  Barriers barriers;
  Place place;
  int block;
  Slot kv;
  bool is_left;

  __device__ __forceinline__ void load_queries(const Place &at, uint32_t group, uint32_t buffer) const {
    load_panels(queries_at(memory, group, buffer), Q_PANEL_BYTES, q_map, barriers.q_full(group, buffer),
                at.inner * BLOCK_M + group * 64, at.outer);
  }
  __device__ __forceinline__ void load_block() const {
    const uint32_t barrier = barriers.k_full(kv.number);
    barrier_expect(barrier, 2 * KV_BYTES);
#pragma unroll
    for (int panel = 0; panel < PANELS; panel++) {
      load_box(keys_at(memory, kv.number) + panel * KV_PANEL_BYTES, k_map, barrier, panel * 64, block * BLOCK_N,
               place.outer);
      load_box(values_at(memory, kv.number) + panel * KV_PANEL_BYTES, v_map, barrier, panel * 64, block * BLOCK_N,
               place.outer);
    }
  }
  __device__ __forceinline__ void advance(const Shape &shape, int key_blocks) {
    move_on<STAGES>(kv);
    if (++block < key_blocks) return;
    block = 0;
    is_left = go_on(place, shape);
  }
};

template <bool CAUSAL>
DEVICE void produce(const CUtensorMap *q_map, const CUtensorMap *k_map, const CUtensorMap *v_map,
                    uint32_t memory, const Barriers &barriers, const Shape &shape) {
  const bool once = HINT && shape.query_blocks == 1;  // a head has one tile: nothing is read twice
  Slot q = {0, 0}, kv = {0, 0};
  bool new_head = true;
  Place place = first_place<CAUSAL>(shape);
  Tile tile = CAUSAL ? numbered_tile(blockIdx.x, shape) : tile_at(place);
  const auto await_room = [&](uint32_t group) {
    barrier_wait(barriers.q_empty(group, q.number), q.parity ^ 1);
    if (CAUSAL) tell_tile(told_at(memory, group, q.number), tile);
  };
  const auto load_queries = [&](uint32_t group) {
    await_room(group);
    load_panels(queries_at(memory, group, q.number), Q_PANEL_BYTES, q_map, barriers.q_full(group, q.number),
                tile.first_query + group * 64, tile.head, once);
  };
  // False where there is no next tile.
  const auto advance = [&](unsigned number) {
    move_on<2>(q);
    if constexpr (CAUSAL) {
      tile = numbered_tile(number, shape);
      return tile.first_query != NONE;
    } else {
      new_head = ends_head<CAUSAL>(place, shape);
      if (!go_on(place, shape)) return false;
      tile = tile_at(place);
      return true;
    }
  };
  unsigned next_number = 0;
  do {
    // Asked for before the loads, and there after them.
    if (CAUSAL) next_number = take_number(shape);
    // The first warpgroup can start as soon as its own queries and the first keys are there.
    load_queries(0);
#pragma unroll 1  // or 32 registers do not do
    for (int block = 0; new_head && block < count_key_blocks<CAUSAL>(tile, shape.length); block++) {
      barrier_wait(barriers.k_empty(kv.number), kv.parity ^ 1);
      load_panels(keys_at(memory, kv.number), KV_PANEL_BYTES, k_map, barriers.k_full(kv.number), block * BLOCK_N,
                  tile.head, once);
      if (block == 0)
        for (uint32_t group = 1; group < CONSUMERS; group++) load_queries(group);
      barrier_wait(barriers.v_empty(kv.number), kv.parity ^ 1);
      load_panels(values_at(memory, kv.number), KV_PANEL_BYTES, v_map, barriers.v_full(kv.number),
                  block * BLOCK_N, tile.head, once);
      move_on<STAGES>(kv);
    }
    for (uint32_t group = 1; !new_head && group < CONSUMERS; group++) load_queries(group);
  } while (advance(next_number));
  for (uint32_t group = 0; CAUSAL && group < CONSUMERS; group++) {
    await_room(group);
    barrier_arrive(barriers.q_full(group, q.number));
  }
}

#endif
