// A computing warpgroup: block of keys after block of keys, on across the ends of tiles.
#ifndef PAWL_ATTENTION_HOPPER_CONSUME_CUH
#define PAWL_ATTENTION_HOPPER_CONSUME_CUH

#include "layout.cuh"
#include "softmax.cuh"

typedef float Output[D / 2];

// A wgmma descriptor for panels of 128-byte rows under the 128-byte swizzle: eight rows (1024 bytes) to the next
// group, whichever way the operand runs; `leading` bytes to the next 64 columns where columns are contiguous.
// Only the low word differs between operands: a step of so many bytes adds a sixteenth of them to it.
DEVICE uint32_t low_word(uint32_t address, uint32_t leading) { return address >> 4 | leading >> 4 << 16; }
DEVICE uint64_t descriptor(uint32_t low) { return uint64_t(1u << 30 | 1024 >> 4) << 32 | low; }

DEVICE void multiply_keys(Scores &score, uint32_t q, uint32_t k) {
  products_begin();
#pragma unroll
  for (int d = 0; d < D / 16; d++)
    multiply_shared(score, descriptor(q + (d / 4 * Q_PANEL_BYTES + d % 4 * 32) / 16),
                    descriptor(k + (d / 4 * KV_PANEL_BYTES + d % 4 * 32) / 16), d > 0);
  products_commit();
}

DEVICE void multiply_values(Output &out, const Weights &weight, uint32_t v) {
  products_begin();
#pragma unroll
  for (int n = 0; n < BLOCK_N / 16; n++) multiply_registers(out, weight[n], descriptor(v + n * ROW_BYTES));
  products_commit();
}

DEVICE uint32_t swizzled(uint32_t panel, int row, int chunk) {
  return panel + row * ROW_BYTES + ((chunk ^ row % 8) << 4);
}

// The warp's own scores once more, into the same registers, without the other warps of the group.
DEVICE void multiply_keys_alone(Scores &score, uint32_t queries, uint32_t keys) {
  const int lane = lane_here(), first_row = threadIdx.x / 32 % 4 * 16;
#pragma unroll
  for (int i = 0; i < BLOCK_N / 2; i++) score[i] = 0;
#pragma unroll 1  // rarely run: few registers matter more than speed
  for (int d = 0; d < D / 16; d++) {
    uint32_t query[4];
    load_matrices(query, swizzled(queries + d / 4 * Q_PANEL_BYTES, first_row + lane % 16, d % 4 * 2 + lane / 16));
#pragma unroll
    for (int n = 0; n < BLOCK_N / 8; n += 2) {
      uint32_t key[4];
      load_matrices(key, swizzled(keys + d / 4 * KV_PANEL_BYTES, n * 8 + lane % 8 + lane / 16 * 8,
                                  d % 4 * 2 + lane / 8 % 2));
      multiply_in_warp(score + n * 4, query, key[0], key[1]);
      multiply_in_warp(score + n * 4 + 4, query, key[2], key[3]);
    }
  }
}

// Each warp stores its own 16 rows; the copy engine leaves out those past the end of the head.
DEVICE void store_rows(const Output &out, const float (&total)[2], const CUtensorMap *o_map, uint32_t staged,
                       int first_row, int head, int length) {
  const int lane = lane_here();
  if (lane == 0) wait_for_stores();
  __syncwarp();
#pragma unroll
  for (int half = 0; half < 2; half++) {
    float sum = total[half];
    sum += from_lane_xor(sum, 1);
    sum += from_lane_xor(sum, 2);
    const float inverse = reciprocal(sum);
#pragma unroll
    for (int chunk = 0; chunk < D / 8; chunk++)
      store_shared(swizzled(staged + chunk / 8 * OUT_PANEL_BYTES, lane / 4 + half * 8, chunk % 8) + lane % 4 * 4,
                   pack_halves(out[chunk * 4 + half * 2] * inverse, out[chunk * 4 + half * 2 + 1] * inverse));
  }
  fence_for_copy_engine();
  __syncwarp();
  if (lane == 0 && first_row < length) {
#pragma unroll
    for (int panel = 0; panel < PANELS; panel++)
      store_box(o_map, staged + panel * OUT_PANEL_BYTES, panel * 64, first_row, head);
    commit_stores();
  }
}

// One block of keys of one tile, as a warpgroup comes to it.
struct Item {
  int index;
  Tile tile;
  int block, own_blocks;  // of the tile; the mask leaves later blocks to the groups below
  int clear_blocks;       // the first ones, which need no mask
  Slot q, kv;
  Slot head_kv;    // where the tile's first block of keys is
  bool ends_head;  // no later tile of this thread block needs the same keys and values
};

// The scores of a block are multiplied together with the values of the one before it, on across the ends of tiles.
template <bool CAUSAL>
DEVICE void consume(const CUtensorMap *o_map, uint32_t memory, const Barriers &barriers, const Shape &shape,
                    float scale) {
  // The compiler keeps in uniform registers what it knows to be the same for a whole warp.
  const int warp = uniform(threadIdx.x / 32), lane = threadIdx.x % 32, group = warp / 4;
  const int tile_count = shape.heads * shape.query_blocks;
  const uint32_t staged = memory + OUT_AT + warp * WARP_OUT_BYTES;
  const uint32_t keys = low_word(keys_at(memory, 0), 16);
  const uint32_t values = low_word(values_at(memory, 0), PANELS > 1 ? KV_PANEL_BYTES : 16);
  const auto release = [&](uint32_t barrier) {
    if (lane == 0) barrier_arrive(barrier);
  };
  // A group's turn ends when it has issued two products; its softmax then lies under the others' products.
  constexpr bool IN_TURN = ORDERED && !CAUSAL && CONSUMERS > 1;
  const int turn = FIRST_TURN + group, next_turn = FIRST_TURN + (group + 1) % CONSUMERS;
  if (IN_TURN && group == CONSUMERS - 1) end_turn(next_turn);

  const auto enter = [&](Item &item) {
    item.tile = tile_at<CAUSAL>(item.index, shape);
    const int first_query = item.tile.first_query + group * 64;
    item.own_blocks = CAUSAL ? min(item.tile.key_blocks, (first_query + 63) / BLOCK_N + 1) : item.tile.key_blocks;
    item.clear_blocks = min(shape.length, CAUSAL ? first_query + 1 : shape.length) / BLOCK_N;
    item.block = 0;
    item.head_kv = item.kv;
    item.ends_head = ends_head<CAUSAL>(item.index, shape);
    barrier_wait(barriers.q_full(group, item.q.number), item.q.parity);
  };
  // False when there is no next block; the item then has no meaning, but still names buffers that exist.
  const auto advance = [&](Item &item) {
    move_on<STAGES>(item.kv);
    if (++item.block < item.own_blocks) return true;
    // A buffer is refilled only when every warpgroup gave it back, also one that had no use for it.
    for (int unused = item.own_blocks; unused < item.tile.key_blocks; unused++) {
      barrier_wait(barriers.k_full(item.kv.number), item.kv.parity);
      release(barriers.k_empty(item.kv.number));
      barrier_wait(barriers.v_full(item.kv.number), item.kv.parity);
      release(barriers.v_empty(item.kv.number));
      move_on<STAGES>(item.kv);
    }
    if (!item.ends_head) item.kv = item.head_kv;
    item.index = next_index<CAUSAL>(item.index, shape);
    if (item.index >= tile_count) return false;
    move_on<2>(item.q);
    enter(item);
    return true;
  };
  const auto queries = [&](const Item &item) { return queries_at(memory, group, item.q.number); };
  const auto release_keys = [&](const Item &item) {
    if (item.ends_head) release(barriers.k_empty(item.kv.number));
  };
  const auto release_values = [&](const Item &item, const Slot &kv) {
    if (item.ends_head) release(barriers.v_empty(kv.number));
  };

  Softmax softmax;
  float tile_total[2];  // of the tile whose output is still to be stored
  Scores score;
  Output out = {};
  Weights weight;

  // Scores become weights; true if what was summed before is to be corrected.
  const auto soften = [&](const Item &item) {
    if (item.block >= item.clear_blocks)
      mask<CAUSAL>(score, item.block * BLOCK_N, item.tile.first_query + warp * 16 + lane / 4, shape.length);
    const bool outgrown = weigh(score, softmax, scale);
    pin(score);  // here, and not after the wait for the products that run meanwhile
    return outgrown;
  };
  const auto correct = [&] {
#pragma unroll
    for (int i = 0; i < D / 2; i++) out[i] *= softmax.correction[i / 2 % 2];
  };
  const auto store = [&](const Item &item) {
    store_rows(out, tile_total, o_map, staged, item.tile.first_query + warp * 16, item.tile.head, shape.length);
  };
  const auto close_where_last = [&](const Item &item) {
    if (item.block + 1 < item.own_blocks) return;
    release(barriers.q_empty(group, item.q.number));
#pragma unroll
    for (int half = 0; half < 2; half++) tile_total[half] = softmax.total[half];
    start(softmax);
  };

  // On to the next block while it needs no mask and the tile goes on: most of the time is spent here. The maximum is
  // not looked for, and nothing branches but to what is rare.
  const auto run_boldly = [&](Item &now) {
    constexpr int HALF = BLOCK_N / 4;
    const uint32_t q = low_word(queries(now), 16);
    const int blocks = min(now.clear_blocks, now.own_blocks);
    Slot coming = now.kv;
    move_on<STAGES>(coming);
    const auto keep_weights = [&](const float (&sum)[2]) {
      release_keys(now);
#pragma unroll
      for (int half = 0; half < 2; half++) softmax.total[half] += sum[half];
    };
    while (now.block + 1 < blocks) {
      barriers_wait(barriers.k_full(coming.number), coming.parity, barriers.v_full(now.kv.number), now.kv.parity);
      float sum[2];
      while (true) {
        const Slot before = now.kv;
        now.kv = coming;
        now.block++;
        if (IN_TURN) await_turn(turn);
        multiply_keys(score, q, keys + now.kv.number * (KV_BYTES / 16));
        multiply_values(out, weight, values + before.number * (KV_BYTES / 16));
        if (IN_TURN) end_turn(next_turn);
        move_on<STAGES>(coming);
        products_wait<1>();
        pin(score);
        float partial[2][2] = {};
        take_powers<0, HALF>(score, partial, softmax, scale);
        pin(score);
        products_wait<0>();  // long over: half the powers take longer
        pin(out);
        pin(score);
        release_values(now, before);
        const bool there = barriers_passed(barriers.k_full(coming.number), coming.parity,
                                           barriers.v_full(now.kv.number), now.kv.parity);
        const bool goes_on = there && now.block + 1 < blocks;
        take_powers<HALF, BLOCK_N / 2>(score, partial, softmax, scale);
        add_up(sum, partial);
        round_weights(weight, score);
        if (any_in_warp(!(goes_on && sum[0] <= LIMIT && sum[1] <= LIMIT))) break;
        keep_weights(sum);
      }
      if (any_in_warp(!(sum[0] <= LIMIT && sum[1] <= LIMIT))) {
        multiply_keys_alone(score, queries(now), keys_at(memory, now.kv.number));
        float top[2];
        find_tops(top, score, scale);
        raise(softmax, top);
        take_all_powers(score, sum, softmax, scale);
        round_weights(weight, score);
        correct();
      }
      keep_weights(sum);
    }
  };

  Item now;
  now.index = first_index<CAUSAL>(shape);
  now.q = now.kv = {0, 0};
  enter(now);
  start(softmax);
  barrier_wait(barriers.k_full(now.kv.number), now.kv.parity);
  multiply_keys(score, low_word(queries(now), 16), keys + now.kv.number * (KV_BYTES / 16));
  products_wait<0>();
  pin(score);
  release_keys(now);
  soften(now);
  round_weights(weight, score);
  while (true) {
    if constexpr (BOLD) run_boldly(now);
    close_where_last(now);
    const Item before = now;
    if (!advance(now)) {
      now = before;
      break;
    }
    barriers_wait(barriers.k_full(now.kv.number), now.kv.parity, barriers.v_full(before.kv.number), before.kv.parity);
    if (IN_TURN) await_turn(turn);
    multiply_keys(score, low_word(queries(now), 16), keys + now.kv.number * (KV_BYTES / 16));
    multiply_values(out, weight, values + before.kv.number * (KV_BYTES / 16));
    if (IN_TURN) end_turn(next_turn);
    products_wait<1>();
    pin(score);
    release_keys(now);
    const bool outgrown = soften(now);
    products_wait<0>();
    pin(out);
    release_values(before, before.kv);
    if (now.block == 0) {
      store(before);
#pragma unroll
      for (int i = 0; i < D / 2; i++) out[i] = 0;
    } else if (outgrown) {
      correct();
    }
    round_weights(weight, score);
  }

  barrier_wait(barriers.v_full(now.kv.number), now.kv.parity);
  multiply_values(out, weight, values + now.kv.number * (KV_BYTES / 16));
  products_wait<0>();
  pin(out);
  release_values(now, now.kv);
  store(now);
  if (lane == 0) wait_for_stores();
}

#endif
