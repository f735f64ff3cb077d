// What kernels/attention/hopper/ptx.cuh does, in plain C++, written from the PTX manual's layouts.
//
// Products take place when they are waited for and not before, so a kernel that reads accumulators or reuses
// shared memory too early is wrong here. The copy engine loads either at once or only when no thread can go on
// (PAWL_EMULATOR_COPIES=late): the first finds buffers given back too early, the second missing waits.
#define PAWL_ATTENTION_HOPPER_PTX_CUH
#include "cuda.h"
#include "warp-instructions.h"

namespace emulator {

struct Barrier {
  uint32_t size = 0, missing = 0;
  int64_t bytes = 0;
  uint32_t phase = 0;
};
inline std::map<uint32_t, Barrier> shared_barriers;

inline Barrier &barrier_at(uint32_t address) {
  if (shared_barriers.find(address) == shared_barriers.end()) fail("a barrier that was not initialised");
  return shared_barriers[address];
}

inline void advance(Barrier &barrier) {
  if (barrier.missing != 0 || barrier.bytes != 0) return;
  barrier.missing = barrier.size;
  barrier.phase++;
  progress++;
}

// The 128-byte swizzle: address bits 4–6 are mixed with bits 7–9.
inline uint32_t swizzled(uint32_t address) { return address ^ (address >> 7 & 7) << 4; }

inline float shared_half(uint32_t address) {
  if (address + 2 > sizeof attention_memory) fail("a product reads past shared memory");
  return half_at(attention_memory + swizzled(address));
}

// Element (row, k) of an operand with k contiguous, or (k, column) of one with columns contiguous.
struct Descriptor {
  uint32_t start, leading, stride;
  explicit Descriptor(uint64_t bits)
      : start((bits & 0x3FFF) << 4), leading((bits >> 16 & 0x3FFF) << 4), stride((bits >> 32 & 0x3FFF) << 4) {
    if (bits >> 62 != 1 || (bits >> 49 & 7) != 0) fail("a descriptor without the 128-byte swizzle");
  }
  float k_contiguous(int row, int k) const { return shared_half(start + row / 8 * stride + row % 8 * 128 + k * 2); }
  float columns_contiguous(int k, int column) const {
    return shared_half(start + k / 8 * stride + k % 8 * 128 + column / 64 * leading + column % 64 * 2);
  }
};

struct Product {
  float *d;
  const uint32_t *a_registers;  // null: a is described
  uint64_t a, b;
  bool add;
  bool across;  // the columns of b are contiguous
  int columns;
};
typedef std::vector<Product> GroupProduct;  // of the 128 threads of a warpgroup
struct Warpgroup {
  Meeting meeting;
  std::vector<GroupProduct> open;
  std::deque<std::vector<GroupProduct>> committed;
};
inline std::map<unsigned, Warpgroup> warpgroups;

inline void multiply(const GroupProduct &threads) {
  const Product &first = threads[0];
  const Descriptor b(first.b);
  std::vector<float> left(64 * 16), right(16 * first.columns);
  for (int k = 0; k < 16; k++)
    for (int column = 0; column < first.columns; column++)
      right[k * first.columns + column] =
          first.across ? b.columns_contiguous(k, column) : b.k_contiguous(column, k);
  for (int thread = 0; thread < 128; thread++) {
    if (threads[thread].b != first.b || threads[thread].a != first.a) fail("descriptors differ within a warpgroup");
    if (!first.a_registers) continue;
    for (int i = 0; i < 8; i++)
      left[(thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8) * 16 + thread % 4 * 2 + i / 4 * 8 + i % 2] =
          half_of(threads[thread].a_registers[i / 2], i % 2);
  }
  if (!first.a_registers) {
    const Descriptor a(first.a);
    for (int row = 0; row < 64; row++)
      for (int k = 0; k < 16; k++) left[row * 16 + k] = a.k_contiguous(row, k);
  }
  for (int thread = 0; thread < 128; thread++)
    for (int i = 0; i < first.columns / 2; i++) {
      const int row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + thread % 4 * 2 + i % 2;
      float sum = threads[thread].add ? threads[thread].d[i] : 0;
      for (int k = 0; k < 16; k++) sum += left[row * 16 + k] * right[k * first.columns + column];
      threads[thread].d[i] = sum;
    }
}

template <typename Action>
void with_warpgroup(const Product *product, Action action) {
  Warpgroup &group = warpgroups[current->thread / 128];
  meet(group.meeting, current->thread % 128, 128, product,
       [&](const void **products) { action(group, reinterpret_cast<const Product *const *>(products)); });
}

inline void issue(const Product &product) {
  with_warpgroup(&product, [](Warpgroup &group, const Product *const *products) {
    GroupProduct all;
    for (int i = 0; i < 128; i++) all.push_back(*products[i]);
    group.open.push_back(all);
  });
}

inline std::map<unsigned, std::vector<std::function<void()>>> stores;  // by thread: shared memory not yet read

inline void copy_box(const CUtensorMap &map, uint32_t shared, int column, int first_row, int head, bool store) {
  if (shared % 1024 != 0) fail("a box that does not start with the swizzle pattern");
  for (uint32_t row = 0; row < map.box[1]; row++)
    for (uint32_t byte = 0; byte < map.box[0] * 2; byte += 16) {
      unsigned char *inside = attention_memory + swizzled(shared + row * 128 + byte);
      const bool valid = first_row + row < map.sizes[1] && static_cast<uint64_t>(head) < map.sizes[2];
      unsigned char *outside = map.data + head * map.strides[1] + (first_row + row) * map.strides[0] + column * 2 + byte;
      if (store && valid) memcpy(outside, inside, 16);
      if (!store && valid) memcpy(inside, outside, 16);
      if (!store && !valid) memset(inside, 0, 16);
    }
}

}  // namespace emulator

inline void barrier_init(uint32_t barrier, uint32_t arrivals) {
  if (barrier % 8 != 0 || barrier + 8 > sizeof attention_memory) emulator::fail("a barrier's address");
  emulator::shared_barriers[barrier] = {arrivals, arrivals, 0, 0};
}
inline void barrier_init_fence() {}
inline void barrier_arrive(uint32_t address) {
  auto &barrier = emulator::barrier_at(address);
  if (barrier.missing-- == 0) emulator::fail("more arrivals than the barrier counts");
  emulator::advance(barrier);
}
inline void barrier_expect(uint32_t address, uint32_t bytes) {
  emulator::barrier_at(address).bytes += bytes;
  barrier_arrive(address);
}
inline void barrier_wait(uint32_t address, uint32_t parity) {
  emulator::wait_until([&] { return (emulator::barrier_at(address).phase & 1) != parity; });
}

inline void barriers_wait(uint32_t one, uint32_t one_parity, uint32_t other, uint32_t other_parity) {
  barrier_wait(one, one_parity);
  barrier_wait(other, other_parity);
}
inline bool barrier_passed(uint32_t address, uint32_t parity) {
  return (emulator::barrier_at(address).phase & 1) != parity;
}
inline bool barriers_passed(uint32_t one, uint32_t one_parity, uint32_t other, uint32_t other_parity) {
  return barrier_passed(one, one_parity) && barrier_passed(other, other_parity);
}

inline void await_turn(int barrier) { emulator::barrier(barrier, 256); }
inline void end_turn(int barrier) {
  emulator::Meeting &meeting = emulator::barriers[barrier];
  if (++meeting.arrived < 256) return;
  meeting.arrived = 0;
  meeting.round++;
  emulator::progress++;
}

inline void prefetch_map(const CUtensorMap *) {}
inline void load_box(uint32_t to, const CUtensorMap *map, uint32_t barrier, int column, int row, int head) {
  static const char *when = getenv("PAWL_EMULATOR_COPIES");
  // A copy of the map: it is a parameter of the kernel, and the thread may have ended when the copy takes place.
  const auto load = [=, map = *map] {
    emulator::copy_box(map, to, column, row, head, false);
    emulator::barrier_at(barrier).bytes -= map.box[0] * map.box[1] * 2;
    emulator::advance(emulator::barrier_at(barrier));
  };
  if (when != nullptr && !strcmp(when, "late")) emulator::copies.push_back(load);
  else load();
}
inline void load_box_once(uint32_t to, const CUtensorMap *map, uint32_t barrier, int column, int row, int head) {
  load_box(to, map, barrier, column, row, head);
}
inline void store_box(const CUtensorMap *map, uint32_t from, int column, int row, int head) {
  emulator::stores[emulator::current->thread].push_back(
      [=, map = *map] { emulator::copy_box(map, from, column, row, head, true); });
}
inline void commit_stores() {}
inline void wait_for_stores() {
  auto &pending = emulator::stores[emulator::current->thread];
  for (auto &store : pending) store();
  pending.clear();
}
inline void fence_for_copy_engine() {}
inline void await_kernel_before() {}
inline void launch_next_kernel() {}
template <int COUNT>
void release_registers() {}
template <int COUNT>
void claim_registers() {}

inline void products_begin() {}
inline void products_commit() {
  emulator::with_warpgroup(nullptr, [](emulator::Warpgroup &group, const emulator::Product *const *) {
    group.committed.push_back(std::move(group.open));
    group.open.clear();
  });
}
template <int PENDING>
void products_wait() {
  emulator::with_warpgroup(nullptr, [](emulator::Warpgroup &group, const emulator::Product *const *) {
    for (; group.committed.size() > PENDING; group.committed.pop_front())
      for (const auto &product : group.committed.front()) emulator::multiply(product);
  });
}
inline void tell(uint32_t to, int word) { memcpy(attention_memory + to, &word, sizeof word); }
inline int hear(uint32_t from) {
  int word;
  memcpy(&word, attention_memory + from, sizeof word);
  return word;
}

template <int COUNT>
void pin(float (&)[COUNT]) {}
template <int COUNT>
void multiply_shared(float (&d)[COUNT], uint64_t a, uint64_t b, bool add) {
  emulator::issue({d, nullptr, a, b, add, false, COUNT * 2});
}
template <bool ACROSS, int COUNT>
void multiply_registers(float (&d)[COUNT], const uint32_t (&a)[4], uint64_t b, bool add) {
  emulator::issue({d, a, 0, b, add, ACROSS, COUNT * 2});
}
inline void store_matrices(uint32_t to, const uint32_t (&from)[4]) {
  struct MatrixStore {
    uint32_t to;
    const uint32_t *from;
  } store{to, from};
  emulator::with_warp(store, [](MatrixStore **lanes) {
    for (int lane = 0; lane < 32; lane++)
      for (int matrix = 0; matrix < 4; matrix++) {
        const uint32_t row = lanes[matrix * 8 + lane / 4]->to;
        if (row % 16 != 0 || row + 16 > sizeof attention_memory) emulator::fail("stmatrix address");
        memcpy(attention_memory + row + lane % 4 * 4, &lanes[lane]->from[matrix], 4);
      }
  });
}
inline void multiply_in_warp(float *c, const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  emulator::MultiplyAdd product{c, a, {b0, b1}};
  emulator::with_warp(product, emulator::multiply_add_of_warp);
}

inline float reciprocal(float x) { return 1.0f / x; }
inline unsigned lane_here() { return threadIdx.x % 32; }
inline int uniform(int x) {
  struct Broadcast {
    int in, out;
  } broadcast{x, 0};
  emulator::with_warp(broadcast, [](Broadcast **lanes) {
    for (int lane = 0; lane < 32; lane++) lanes[lane]->out = lanes[0]->in;
  });
  return broadcast.out;
}
inline float whole_power_of_two(float shifted) {
  uint32_t bits;
  memcpy(&bits, &shifted, 4);
  bits = (bits << 23) + 0x3f800000;
  memcpy(&shifted, &bits, 4);
  return shifted;
}
