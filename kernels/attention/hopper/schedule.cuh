// Which tile of the problem comes when.
//
// Without a mask all tiles take as long: a thread block knows its tiles beforehand. Those of a head come together, and
// find its K and V in L2. Under a mask each is given to the block that comes for it first, the long ones before the
// short ones; of all heads at once K and V would not fit the L2, so a section of heads comes after the other.
#ifndef PAWL_ATTENTION_HOPPER_SCHEDULE_CUH
#define PAWL_ATTENTION_HOPPER_SCHEDULE_CUH

#include "layout.cuh"

#ifndef L2_ROOM
#define L2_ROOM (16 << 20)  // bytes for K and V; Q and O, and the next section, go through the same 50 MB
#endif

struct Tile {
  int head, first_query;
};
constexpr int NONE = -1;  // as a first query: there is no further tile

template <bool CAUSAL>
DEVICE int count_key_blocks(const Tile &tile, int length) {
  return ((CAUSAL ? min(length, tile.first_query + BLOCK_M) : length) + BLOCK_N - 1) / BLOCK_N;
}

// A tile's number as digits: adding to digits takes no division. The inner one counts a head's tiles, the outer heads.
struct Place {
  int outer, inner;
};

struct Shape {
  int length, heads, query_blocks;
  Place step;  // from one of a thread block's tiles to its next, with a carry where the inner digit runs over
  int carry;
  int section_heads;
  unsigned *given;  // the count of tiles that this launch gave out
};

// With RESIDENT, where a head's keys and values all fit their buffers, a thread block takes whole heads and loads
// each once; otherwise, it takes every gridDim.x-th tile.
template <bool CAUSAL>
static __host__ __device__ __forceinline__ bool takes_heads(const Shape &shape) {
  return RESIDENT && !CAUSAL && shape.length <= STAGES * BLOCK_N;
}
static __host__ __device__ __forceinline__ Place place_of(int tile, const Shape &shape) {
  return {tile / shape.query_blocks, tile % shape.query_blocks};
}
template <bool CAUSAL>
DEVICE Place first_place(const Shape &shape) {
  const int block = blockIdx.x;
  if (takes_heads<CAUSAL>(shape)) return {block, 0};
  return place_of(block, shape);
}
// False where there is no further tile.
DEVICE bool go_on(Place &place, const Shape &shape) {
  place.outer += shape.step.outer;
  place.inner += shape.step.inner;
  if (place.inner >= shape.query_blocks) {
    place.inner -= shape.query_blocks;
    place.outer += shape.carry;
  }
  return place.outer < shape.heads;
}
template <bool CAUSAL>
DEVICE bool ends_head(const Place &place, const Shape &shape) {
  return !takes_heads<CAUSAL>(shape) || place.inner + 1 == shape.query_blocks;
}
DEVICE Tile tile_at(const Place &place) { return {place.outer, place.inner * BLOCK_M}; }

// Each launch counts for itself (counters.cuh). A counter is zero again when each block was told that nothing is left:
// so many numbers are asked for as there are tiles, the first ones of all blocks not, and one in vain. Where each block
// has but one tile, none asks.
DEVICE unsigned take_number(const Shape &shape) {
  const unsigned tiles = shape.heads * shape.query_blocks;
  return tiles == gridDim.x ? tiles : gridDim.x + atomicInc(shape.given, tiles - 1);
}
DEVICE Tile numbered_tile(unsigned number, const Shape &shape) {
  if (number >= unsigned(shape.heads * shape.query_blocks)) return {0, NONE};
  const unsigned section_tiles = shape.section_heads * shape.query_blocks;
  const unsigned first_head = number / section_tiles * shape.section_heads, rest = number % section_tiles;
  const unsigned heads = min(unsigned(shape.section_heads), shape.heads - first_head);
  return {int(first_head + rest % heads), (shape.query_blocks - 1 - int(rest / heads)) * BLOCK_M};
}
DEVICE void tell_tile(uint32_t at, const Tile &tile) {
  tell(at, tile.head);
  tell(at + 4, tile.first_query);
}
// Heard by every thread, and each says for itself that the place is free again. Where one lane does both for its warp,
// every tile under a mask begins later (2 % at D = 128); where all hear and one says so, racecheck sees a race.
DEVICE Tile told_tile(uint32_t at) {
  const Tile tile = {hear(at), hear(at + 4)};
  return {uniform(tile.head), uniform(tile.first_query)};
}

// As many heads as the L2 has room for, but no more than there are blocks to take one each; all sections alike.
static __host__ int count_section_heads(const Shape &shape, int thread_blocks) {
  const int64_t fitting = L2_ROOM / (int64_t(shape.length) * D * 2 * 2);
  const int64_t most = fitting < 1 ? 1 : fitting < thread_blocks ? fitting : thread_blocks;
  const int64_t sections = (shape.heads + most - 1) / most;
  return static_cast<int>((shape.heads + sections - 1) / sections);
}

template <bool CAUSAL>
static __host__ void set_schedule(Shape &shape, int thread_blocks) {
  const bool heads = takes_heads<CAUSAL>(shape);
  shape.step = heads ? Place{0, 1} : place_of(thread_blocks, shape);
  shape.carry = heads ? thread_blocks : 1;
  shape.section_heads = count_section_heads(shape, thread_blocks);
}

#endif
