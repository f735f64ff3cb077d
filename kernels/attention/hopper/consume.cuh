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

DEVICE void multiply_keys(Scores &score, uint32_t queries, uint32_t keys) {
  const uint32_t q = low_word(queries, 16), k = low_word(keys, 16);
  products_begin();
#pragma unroll
  for (int d = 0; d < D / 16; d++)
    multiply_shared(score, descriptor(q + (d / 4 * Q_PANEL_BYTES + d % 4 * 32) / 16),
                    descriptor(k + (d / 4 * KV_PANEL_BYTES + d % 4 * 32) / 16), d > 0);
  products_commit();
}

DEVICE void multiply_values(Output &out, const Weights &weight, uint32_t values) {
  const uint32_t v = low_word(values, PANELS > 1 ? KV_PANEL_BYTES : 16);
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
  const int lane = threadIdx.x % 32, first_row = threadIdx.x / 32 % 4 * 16;
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
  const int lane = threadIdx.x % 32;
  if (lane == 0) wait_for_stores();
  __syncwarp();
#pragma unroll
  for (int half = 0; half < 2; half++) {
    float sum = total[half];
    sum += from_lane_xor(sum, 1);
    sum += from_lane_xor(sum, 2);
    const float inverse = 1.0f / sum;
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
  Slot q, kv;
  Slot head_kv;    // where the tile's first block of keys is
  bool ends_head;  // no later tile of this thread block needs the same keys and values
};

// Scores of later blocks are always under way while the values of earlier ones are multiplied, whichever tile
// they belong to. With AHEAD, they are a block further: both products of a step run under its softmax, and none
// has to be waited for.
template <bool CAUSAL>
DEVICE void consume(const CUtensorMap *o_map, uint32_t memory, const Barriers &barriers, const Shape &shape,
                    float scale) {
  // The compiler keeps in uniform registers what it knows to be the same for a whole warp.
  const int warp = uniform(threadIdx.x / 32), lane = threadIdx.x % 32, group = warp / 4;
  const int tile_count = shape.heads * shape.query_blocks;
  const uint32_t staged = memory + OUT_AT + warp * WARP_OUT_BYTES;
  const auto release = [&](uint32_t barrier) {
    if (lane == 0) barrier_arrive(barrier);
  };
  // A group's turn ends when it has issued two products; its softmax then lies under the others' products.
  constexpr bool IN_TURN = ORDERED && !CAUSAL && CONSUMERS > 1;
  const int turn = FIRST_TURN + group, next_turn = FIRST_TURN + (group + 1) % CONSUMERS;
  if (IN_TURN && group == CONSUMERS - 1) end_turn(next_turn);

  const auto enter = [&](Item &item) {
    item.tile = tile_at<CAUSAL>(item.index, shape);
    const int last_query = item.tile.first_query + group * 64 + 63;
    item.own_blocks = CAUSAL ? min(item.tile.key_blocks, last_query / BLOCK_N + 1) : item.tile.key_blocks;
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
  const auto await_keys = [&](const Item &item) {
    barrier_wait(barriers.k_full(item.kv.number), item.kv.parity);
  };
  const auto release_keys = [&](const Item &item) {
    if (item.ends_head) release(barriers.k_empty(item.kv.number));
  };

  Softmax softmax;
  bool settled = false;
  float tile_total[2];  // of the tile whose output is still to be stored
  Output out = {};
  Weights weight;

  const auto mask_where_needed = [&](Scores &score, const Item &item) {
    const int first_key = item.block * BLOCK_N, group_query = item.tile.first_query + group * 64;
    if (first_key + BLOCK_N > shape.length || (CAUSAL && first_key + BLOCK_N - 1 > group_query))
      mask<CAUSAL>(score, first_key, item.tile.first_query + warp * 16 + lane / 4, shape.length);
  };
  // Scores become weights; true if what was summed before is to be corrected.
  const auto soften = [&](Scores &score, const Item &item) {
    mask_where_needed(score, item);
    bool outgrown;
    if constexpr (BOLD) {
      outgrown = weigh_boldly(score, softmax, settled, scale, [&] {
        multiply_keys_alone(score, queries(item), keys_at(memory, item.kv.number));
        mask_where_needed(score, item);
      });
    } else {
      outgrown = weigh(score, softmax, scale);
    }
    pin(score);  // here, and not after the wait for the products that run meanwhile
    if (AHEAD || BOLD) release_keys(item);
    return outgrown;
  };
  const auto close_where_last = [&](const Item &item) {
    if (item.block + 1 < item.own_blocks) return;
    release(barriers.q_empty(group, item.q.number));
#pragma unroll
    for (int half = 0; half < 2; half++) tile_total[half] = softmax.total[half];
    start(softmax);
    settled = false;
  };
  const auto finish_values = [&](const Item &before) {
    pin(out);
    if (before.ends_head) release(barriers.v_empty(before.kv.number));
  };
  const auto store = [&](const Item &item) {
    store_rows(out, tile_total, o_map, staged, item.tile.first_query + warp * 16, item.tile.head, shape.length);
  };
  // The output takes up the next block's scale, or is done with its tile.
  const auto hand_over = [&](const Item &before, const Item &now, bool outgrown) {
    if (now.block == 0) {
      store(before);
#pragma unroll
      for (int i = 0; i < D / 2; i++) out[i] = 0;
    } else if (outgrown) {
#pragma unroll
      for (int i = 0; i < D / 2; i++) out[i] *= softmax.correction[i / 2 % 2];
    }
  };
  const auto issue_values = [&](const Item &item) {
    barrier_wait(barriers.v_full(item.kv.number), item.kv.parity);
    multiply_values(out, weight, values_at(memory, item.kv.number));
  };

  Item now;
  now.index = first_index<CAUSAL>(shape);
  now.q = now.kv = {0, 0};
  enter(now);
  await_keys(now);
  start(softmax);

  if constexpr (AHEAD) {
    Scores score[2];
    multiply_keys(score[0], queries(now), keys_at(memory, now.kv.number));
    products_wait<0>();
    pin(score[0]);
    Item ahead = now;
    bool more = advance(ahead);
    // Without a next block the last one is multiplied again, for nothing: cheaper than a branch in every step.
    const auto issue_keys = [&](Scores &to) {
      if (more) await_keys(ahead);
      multiply_keys(to, queries(ahead), keys_at(memory, ahead.kv.number));
    };
    issue_keys(score[1]);
    soften(score[0], now);
    products_wait<0>();
    pin(score[1]);
    close_where_last(now);
    round_weights(weight, score[0]);

    const auto step = [&](Scores &current, Scores &next) {
      const Item before = now;
      now = ahead;
      more = advance(ahead);
      if (IN_TURN) await_turn(turn);
      issue_keys(next);
      issue_values(before);
      if (IN_TURN) end_turn(next_turn);
      const bool outgrown = soften(current, now);
      products_wait<0>();
      pin(next);
      finish_values(before);
      hand_over(before, now, outgrown);
      close_where_last(now);
      round_weights(weight, current);
    };
    while (more) {
      step(score[1], score[0]);
      if (!more) break;
      step(score[0], score[1]);
    }
  } else {
    Scores score;
    multiply_keys(score, queries(now), keys_at(memory, now.kv.number));
    products_wait<0>();
    pin(score);
    if (!BOLD) release_keys(now);
    soften(score, now);
    close_where_last(now);
    round_weights(weight, score);
    while (true) {
      const Item before = now;
      if (!advance(now)) {
        now = before;
        break;
      }
      await_keys(now);
      if (IN_TURN) await_turn(turn);
      multiply_keys(score, queries(now), keys_at(memory, now.kv.number));
      issue_values(before);
      if (IN_TURN) end_turn(next_turn);
      products_wait<1>();
      pin(score);
      if (!BOLD) release_keys(now);
      const bool outgrown = soften(score, now);
      products_wait<0>();
      finish_values(before);
      hand_over(before, now, outgrown);
      close_where_last(now);
      round_weights(weight, score);
    }
  }

  issue_values(now);
  products_wait<0>();
  finish_values(now);
  store(now);
  if (lane == 0) wait_for_stores();
}

#endif
