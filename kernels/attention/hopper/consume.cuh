// A computing warpgroup: block of keys after block of keys, on across the ends of tiles.
#ifndef PAWL_ATTENTION_HOPPER_CONSUME_CUH
#define PAWL_ATTENTION_HOPPER_CONSUME_CUH

#include "layout.cuh"
#include "produce.cuh"
#include "products.cuh"
#include "softmax.cuh"
#include "store.cuh"

// One block of keys of one tile, as a warpgroup comes to it.
struct Item {
  Place place;
  Tile tile;
  int block, own_blocks, all_blocks;  // of the tile; the mask leaves later blocks to the groups below
  int clear_blocks;                   // the first ones, which need no mask
  Slot q, kv;
  Slot head_kv;   // where the tile's first block of keys is
  int ends_head;  // no later tile of this thread block needs the same keys and values; as a bool ptxas spills it
};

// The scores of a block are multiplied together with the values of the one before it.
template <bool CAUSAL>
DEVICE void consume(const Maps &maps, uint32_t memory, const Barriers &barriers, const Shape &shape, float scale) {
  constexpr bool LOADS = LOADS_ITSELF<CAUSAL>;
  // The compiler keeps in uniform registers what it knows to be the same for a whole warp.
  const int warp = uniform(threadIdx.x / 32), lane = threadIdx.x % 32, group = warp / 4;
  const uint32_t staged = memory + OUT_AT + warp * WARP_OUT_BYTES;
  const uint32_t keys = low_word(keys_at(memory, 0), 16);
  const uint32_t values = low_word(values_at(memory, 0), PANELS > 1 ? KV_PANEL_BYTES : 16);
  constexpr uint32_t KV_STEP = KV_BYTES / 16;
  // A group's turn ends when it has issued two products; its softmax then lies under the others' products.
  constexpr bool IN_TURN = ORDERED && !CAUSAL && CONSUMERS > 1;
  const int turn = FIRST_TURN + group, next_turn = FIRST_TURN + (group + 1) % CONSUMERS;
  if (IN_TURN && group == CONSUMERS - 1) end_turn(next_turn);

  const auto release = [&](uint32_t barrier) {
    if (!LOADS && lane == 0) barrier_arrive(barrier);
  };
  const auto release_keys = [&](const Item &item) {
    if (item.ends_head) release(barriers.k_empty(item.kv.number));
  };
  const auto release_values = [&](const Item &item, const Slot &kv) {
    if (item.ends_head) release(barriers.v_empty(kv.number));
  };
  const auto queries = [&](const Item &item) { return queries_at(memory, group, item.q.number); };

  Queries held;
  const auto await_queries = [&](Item &item) {
    barrier_wait(barriers.q_full(group, item.q.number), item.q.parity);
    item.tile = CAUSAL ? told_tile(told_at(memory, group, item.q.number)) : tile_at(item.place);
  };
  const auto enter = [&](Item &item) {
    const int first_query = item.tile.first_query + group * 64;
    item.all_blocks = count_key_blocks<CAUSAL>(item.tile, shape.length);
    item.own_blocks = CAUSAL ? min(item.all_blocks, (first_query + 63) / BLOCK_N + 1) : item.all_blocks;
    item.clear_blocks = min(shape.length, CAUSAL ? first_query + 1 : shape.length) / BLOCK_N;
    item.block = 0;
    item.head_kv = item.kv;
    item.ends_head = ends_head<CAUSAL>(item.place, shape);
    if constexpr (LOADS) hold_queries(held, queries(item));
  };
  // False when there is no next block; the item then has no meaning, but still names buffers that exist.
  const auto advance = [&](Item &item) {
    move_on<STAGES>(item.kv);
    if (++item.block < item.own_blocks) return true;
    // A buffer is refilled only when every warpgroup gave it back, also one that had no use for it.
    for (int unused = item.own_blocks; CAUSAL && unused < item.all_blocks; unused++) {
      barriers_wait(barriers.k_full(item.kv.number), item.kv.parity, barriers.v_full(item.kv.number), item.kv.parity);
      release(barriers.k_empty(item.kv.number));
      release(barriers.v_empty(item.kv.number));
      move_on<STAGES>(item.kv);
    }
    if (!item.ends_head) item.kv = item.head_kv;
    if (!CAUSAL && !go_on(item.place, shape)) return false;
    move_on<2>(item.q);
    await_queries(item);
    if (CAUSAL && item.tile.first_query == NONE) return false;
    enter(item);
    return true;
  };

  Softmax softmax;
  float tile_total[2];  // of the tile whose output is still to be stored
  Scores score;
  Output out;
  Weights weight;

  // Both are needed for a block: its own keys, and the values of the one before.
  const auto await_block = [&](const Slot &its_keys, const Slot &its_values) {
    if constexpr (LOADS)
      barrier_wait(barriers.k_full(its_keys.number), its_keys.parity);
    else
      barriers_wait(barriers.k_full(its_keys.number), its_keys.parity, barriers.v_full(its_values.number),
                    its_values.parity);
  };
  const auto block_is_there = [&](const Slot &its_keys, const Slot &its_values) {
    if constexpr (LOADS)
      return barrier_passed(barriers.k_full(its_keys.number), its_keys.parity);
    else
      return barriers_passed(barriers.k_full(its_keys.number), its_keys.parity, barriers.v_full(its_values.number),
                             its_values.parity);
  };

  // The warp that loads. When its group has its turn, all groups are through with the block before the last, since
  // they had theirs: its buffers are free, and nobody has to say so.
  constexpr int LOADING_WARP = CONSUMER_WARPS - 4, AHEAD = STAGES - 2;
  const int key_blocks = (shape.length + BLOCK_N - 1) / BLOCK_N;
  Supply supply = {maps.q, maps.k, maps.v, memory, barriers, {}, 0, {0, 0}, true};
  const auto load_next_block = [&] {
    if (!supply.is_left) return;
    if (lane == 0) supply.load_block();
    __syncwarp();
    supply.advance(shape, key_blocks);
  };
  const auto load_more = [&] {
    if (LOADS && warp == LOADING_WARP) load_next_block();
  };
  // A group asks for its own next queries, once all its warps hold those of the tile.
  const auto load_next_queries = [&](const Item &item) {
    if (!LOADS || warp % 4 != 0) return;
    Place place = item.place;
    if (go_on(place, shape) && lane == 0) supply.load_queries(place, group, item.q.number ^ 1);
    __syncwarp();
  };

  // The scores are there at the end; the values of the block before are still being multiplied.
  const auto multiply = [&](const Item &now, uint32_t q, const Slot &before, bool add, auto meanwhile) {
    if (IN_TURN) await_turn(turn);
    if constexpr (LOADS)
      multiply_keys(score, held, keys + now.kv.number * KV_STEP);
    else
      multiply_keys(score, q, keys + now.kv.number * KV_STEP);
    multiply_values(out, weight, values + before.number * KV_STEP, add);
    if (IN_TURN) end_turn(next_turn);
    meanwhile();
    products_wait<1>();
    pin(score);
  };
  // Scores become weights relative to maxima that were seen before, whether these are good for them or not. Weights are
  // rounded when their registers are free: half the exponentials take longer than the product that reads the last ones.
  const auto weigh_boldly = [&](float (&sum)[2], auto when_free) {
    constexpr int HALF = BLOCK_N / 4;
    float partial[2][2] = {};
    take_powers<0, HALF>(score, partial, softmax, scale);
    pin(score);
    products_wait<0>();
    pin(out);
    pin(score);
    when_free();
    take_powers<HALF, BLOCK_N / 2>(score, partial, softmax, scale);
    add_up(sum, partial);
    round_weights(weight, score);
  };
  const auto mask_where_needed = [&](const Item &item) {
    if (item.block >= item.clear_blocks)
      mask<CAUSAL>(score, item.block * BLOCK_N, item.tile.first_query + warp * 16 + lane / 4, shape.length);
  };
  // The rare case that they are not: once more, with a look at the maximum.
  const auto weigh_anew = [&](float (&sum)[2], const Item &item) {
    if constexpr (LOADS)
      multiply_keys_alone(score, held, keys_at(memory, item.kv.number));
    else
      multiply_keys_alone(score, queries(item), keys_at(memory, item.kv.number));
    mask_where_needed(item);
    float top[2];
    find_tops(top, score, scale);
    raise(softmax, top);
    take_all_powers(score, sum, softmax, scale);
    round_weights(weight, score);
  };
  const auto correct = [&] {
#pragma unroll
    for (int i = 0; i < D / 2; i++) out[i] *= softmax.correction[i / 2 % 2];
  };
  const auto store = [&](const Item &item) {
    store_rows(out, tile_total, maps.o, staged, item.tile.first_query + warp * 16, item.tile.head, shape.length);
  };

  // On to the next block while it needs no mask and the tile goes on: most of the time is spent here. The maximum is
  // not looked for, and nothing branches but to what is rare.
  const auto run_boldly = [&](Item &now) {
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
      await_block(coming, now.kv);
      float sum[2];
      while (true) {
        const Slot before = now.kv;
        now.kv = coming;
        now.block++;
        move_on<STAGES>(coming);
        multiply(now, q, before, now.block > 1, load_more);
        bool goes_on;
        weigh_boldly(sum, [&] {
          release_values(now, before);
          goes_on = block_is_there(coming, now.kv) && now.block + 1 < blocks;
        });
        if (any_in_warp(!(goes_on && sum[0] <= LARGEST_SUM && sum[1] <= LARGEST_SUM))) break;
        keep_weights(sum);
      }
      if (any_in_warp(!(sum[0] <= LARGEST_SUM && sum[1] <= LARGEST_SUM))) {
        weigh_anew(sum, now);
        correct();
      }
      keep_weights(sum);
    }
  };
  // A tile's first block, or one that needs a mask. For a first one the maxima of the tile before are a guess; but under
  // a mask it is chance which tile that was, and a result must not depend on it.
  const auto step_boldly = [&](const Item &now, const Item &before) {
    const bool first = now.block == 0;
    const float smallest = first && !CAUSAL ? SMALLEST_SUM : 0;
    mask_where_needed(now);
    if (CAUSAL && first) {
      float top[2];
      start(softmax);
      find_tops(top, score, scale);
      raise(softmax, top);
    }
    float sum[2];
    weigh_boldly(sum, [&] { release_values(before, before.kv); });
    const auto is_good = [&](float x) { return smallest <= x && x <= LARGEST_SUM; };
    if (any_in_warp(!(is_good(sum[0]) && is_good(sum[1])))) {
      if (first) start(softmax);
      weigh_anew(sum, now);
      if (!first) correct();
    }
    release_keys(now);
#pragma unroll
    for (int half = 0; half < 2; half++) softmax.total[half] = sum[half] + (first ? 0 : softmax.total[half]);
    if (first) store(before);
  };
  const auto step_carefully = [&](const Item &now, const Item &before) {
    release_keys(now);
    mask_where_needed(now);
    if (now.block == 0) start(softmax);
    const bool outgrown = weigh(score, softmax, scale);
    pin(score);  // here, and not after the wait for the values
    products_wait<0>();
    pin(out);
    release_values(before, before.kv);
    if (now.block == 0)
      store(before);
    else if (outgrown)
      correct();
    round_weights(weight, score);
  };

  Item now;
  const Place start_here = first_place<CAUSAL>(shape);
  now.place = {uniform(start_here.outer), uniform(start_here.inner)};
  now.q = now.kv = {0, 0};
  if (LOADS && warp == LOADING_WARP) {
    supply.place = now.place;
    Place second = now.place;
    const bool goes_on = go_on(second, shape);
    if (lane == 0) {
      if (CHAINED) await_kernel_before();
      supply.load_queries(now.place, 0, 0);
      supply.load_block();
      for (uint32_t other = 1; other < CONSUMERS; other++) supply.load_queries(now.place, other, 0);
    }
    __syncwarp();
    supply.advance(shape, key_blocks);
    for (int block = 1; block <= AHEAD; block++) load_next_block();
    if (lane == 0 && goes_on)
      for (uint32_t each = 0; each < CONSUMERS; each++) supply.load_queries(second, each, 1);
    __syncwarp();
  }
  await_queries(now);
  enter(now);
  barrier_wait(barriers.k_full(now.kv.number), now.kv.parity);
  if constexpr (LOADS)
    multiply_keys(score, held, keys + now.kv.number * KV_STEP);
  else
    multiply_keys(score, low_word(queries(now), 16), keys + now.kv.number * KV_STEP);
  products_wait<0>();
  pin(score);
  release_keys(now);
  mask_where_needed(now);
  start(softmax);
  weigh(score, softmax, scale);
  round_weights(weight, score);
  while (true) {
    if constexpr (BOLD) run_boldly(now);
    if (now.block + 1 == now.own_blocks) {
      // Under a mask each thread heard for itself which tile is next (told_tile).
      if constexpr (CAUSAL)
        barrier_arrive(barriers.q_empty(group, now.q.number));
      else
        release(barriers.q_empty(group, now.q.number));
#pragma unroll
      for (int half = 0; half < 2; half++) tile_total[half] = softmax.total[half];
    }
    const Item before = now;
    if (!advance(now)) {
      now = before;
      break;
    }
    await_block(now.kv, before.kv);
    multiply(now, low_word(queries(now), 16), before.kv, before.block > 0, [&] {
      load_more();
      if (now.block == 0) load_next_queries(now);
    });
    if constexpr (BOLD)
      step_boldly(now, before);
    else
      step_carefully(now, before);
  }

  if (!LOADS) barrier_wait(barriers.v_full(now.kv.number), now.kv.parity);
  multiply_values(out, weight, values + now.kv.number * KV_STEP, now.block > 0);
  products_wait<0>();
  pin(out);
  release_values(now, now.kv);
  store(now);
  wait_for_stores();
}

#endif
