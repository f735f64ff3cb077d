// What kernels/attention/cuda/ptx.cuh does, in plain C++, written from the PTX manual's fragment layouts.
#define PAWL_ATTENTION_PTX_CUH
#include "warp-instructions.h"

namespace emulator {

struct Copy {
  uint32_t to;
  const void *from;
  bool valid;
};
inline std::map<unsigned, std::vector<Copy>> open_copies;               // by thread: not yet in a group
inline std::map<unsigned, std::deque<std::vector<Copy>>> copy_groups;   // by thread: closed, not yet done

}  // namespace emulator

// Copies land when they are waited for, and not before: a kernel that reads too early reads NaN or old data.
inline void copy_async(uint32_t to, const void *from, bool valid) {
  if (to % 16 != 0 || to + 16 > sizeof attention_memory) emulator::fail("cp.async address");
  emulator::open_copies[emulator::current->thread].push_back({to, from, valid});
}
inline void close_copy_group() {
  auto &open = emulator::open_copies[emulator::current->thread];
  emulator::copy_groups[emulator::current->thread].push_back(std::move(open));
  open.clear();
}
template <int PENDING>
void wait_for_copies() {
  auto &groups = emulator::copy_groups[emulator::current->thread];
  for (; groups.size() > PENDING; groups.pop_front())
    for (const auto &copy : groups.front()) {
      memset(attention_memory + copy.to, 0, 16);
      if (copy.valid) memcpy(attention_memory + copy.to, copy.from, 16);
    }
}

inline void load_matrices_transposed(uint32_t (&to)[4], uint32_t from) {
  emulator::MatrixLoad load{from, to};
  emulator::with_warp(load, [](emulator::MatrixLoad **lanes) { emulator::load_matrices_of_warp(lanes, true); });
}
inline void multiply_add(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  emulator::MultiplyAdd product{c, a, {b0, b1}};
  emulator::with_warp(product, emulator::multiply_add_of_warp);
}

inline uint4 load_shared_16(uint32_t from) {
  uint4 value;
  memcpy(&value, attention_memory + from, 16);
  return value;
}
inline void store_shared_16(uint32_t to, uint4 value) {
  if (to % 16 != 0 || to + 16 > sizeof attention_memory) emulator::fail("a 16-byte store's address");
  memcpy(attention_memory + to, &value, 16);
}
inline void pin(float &) {}
