// Which counter a launch under a mask counts its tiles with (schedule.cuh).
//
// Launches that run at a time must not share one. Two of them never write the same output, so a counter belongs to the
// address of the output: then it does not matter from which streams launches come, which graphs they were captured
// into, how far apart, or how often a graph was instantiated. Addresses are kept for good. When there is no place for
// another one, such launches get a thread block for each tile, and need no counter.
#ifndef PAWL_ATTENTION_HOPPER_COUNTERS_CUH
#define PAWL_ATTENTION_HOPPER_COUNTERS_CUH

#include <cuda_runtime.h>
#include <stdint.h>

#include <atomic>

#ifndef COUNTERS
#define COUNTERS 65536  // a power of two; 4 bytes each on the device, 8 on the host
#endif
static_assert((COUNTERS & (COUNTERS - 1)) == 0, "places are numbered by the low bits of a hash");
static __device__ unsigned tiles_given[COUNTERS];

// Null where neither the place that the address hashes to nor one of the next is free.
static unsigned *counter_of(const void *output, unsigned *counters) {
  constexpr unsigned MOST_LOOKS = 64;
  static std::atomic<const void *> owners[COUNTERS];
  // Outputs lie at multiples of large powers of two: the high bits of a product depend on all bits of the address.
  unsigned place = static_cast<unsigned>(reinterpret_cast<uintptr_t>(output) * 0x9E3779B97F4A7C15u >> 40);
  for (unsigned look = 0; look < MOST_LOOKS; look++, place++) {
    const void *owner = owners[place % COUNTERS].load(std::memory_order_relaxed);
    // If another thread is quicker, `owner` is what it wrote.
    if (owner == nullptr && owners[place % COUNTERS].compare_exchange_strong(owner, output)) owner = output;
    if (owner == output) return counters + place % COUNTERS;
  }
  return nullptr;
}

#endif
