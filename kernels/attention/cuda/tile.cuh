// Tiles of 16-bit rows in shared memory: where a 16-byte chunk lies, and how rows come from global memory.
#ifndef PAWL_ATTENTION_TILE_CUH
#define PAWL_ATTENTION_TILE_CUH

#include <stdint.h>

#include "ptx.cuh"

// Elements are only moved here; the tensor cores and the conversion instructions know what they mean.
typedef uint16_t Half;

constexpr int THREADS_PER_BLOCK = 32 * NUM_WARPS;

// ldmatrix reads one chunk of each of eight rows, which have to lie in different banks. With SWIZZLE a chunk's
// number is mixed with its row's, without it rows are a chunk longer than their data.
#ifndef ROW_PADDING
#define ROW_PADDING 16  // 0 is a fault: bench/planted-faults shows what a profile says of it
#endif
template <int D>
constexpr int ROW_BYTES = SWIZZLE ? D * 2 : D * 2 + ROW_PADDING;

template <int D>
DEVICE uint32_t offset(int row, int chunk) {
  return static_cast<uint32_t>(row * ROW_BYTES<D> + ((SWIZZLE ? chunk ^ (row & 7) : chunk) << 4));
}

// From an even chunk's address to that of the chunk so many (an even number) further. Tiles start where the
// swizzle pattern does, so that bits can be mixed without a carry.
DEVICE uint32_t further(uint32_t address, int chunks) {
  return SWIZZLE ? address ^ static_cast<uint32_t>(chunks << 4) : address + static_cast<uint32_t>(chunks << 4);
}

// Rows first … first + ROWS - 1 of one head into a tile; zeros past the end, so that 0 · weight stays 0.
template <int D, int ROWS>
DEVICE void load_tile(uint32_t tile, const Half *head, int first, int length) {
  constexpr int CHUNKS = D / 8, TOTAL = ROWS * CHUNKS, PASS_ROWS = THREADS_PER_BLOCK / CHUNKS;
  constexpr int PASSES = (TOTAL + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK;
  const int row = threadIdx.x / CHUNKS, chunk = threadIdx.x % CHUNKS;
  const Half *from = head + (int64_t(first + row) * D + chunk * 8);
  const uint32_t to = tile + offset<D>(row, chunk);
  const auto load = [&](int pass, bool valid) {
    if (TOTAL % THREADS_PER_BLOCK != 0 && pass * THREADS_PER_BLOCK + static_cast<int>(threadIdx.x) >= TOTAL) return;
    // Where a pass is a whole number of swizzle patterns, its offset is a constant.
    const uint32_t place = SWIZZLE && PASS_ROWS % 8 != 0 ? tile + offset<D>(row + pass * PASS_ROWS, chunk)
                                                         : to + pass * PASS_ROWS * ROW_BYTES<D>;
    const Half *source = valid ? from + pass * PASS_ROWS * D : head;
    if (CP_ASYNC)
      copy_async(place, source, valid);
    else
      store_shared_16(place, valid ? *reinterpret_cast<const uint4 *>(source) : uint4{0, 0, 0, 0});
  };
  if (first + ROWS <= length) {
#pragma unroll
    for (int pass = 0; pass < PASSES; pass++) load(pass, true);
  } else {
#pragma unroll
    for (int pass = 0; pass < PASSES; pass++) load(pass, first + row + pass * PASS_ROWS < length);
  }
}

#endif
