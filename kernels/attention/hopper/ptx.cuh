// Hopper's instructions as the attention kernel uses them, one function each (compute capability 9.0a).
// Shared memory is addressed in bytes; a barrier is eight bytes of it.
#ifndef PAWL_ATTENTION_HOPPER_PTX_CUH
#define PAWL_ATTENTION_HOPPER_PTX_CUH

#include <cuda.h>
#include <stdint.h>

#define DEVICE static __device__ __forceinline__

DEVICE uint32_t shared_address(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

// --- barriers in shared memory ---

DEVICE void barrier_init(uint32_t barrier, uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

// Makes initialised barriers known to the copy engine.
DEVICE void barrier_init_fence() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

DEVICE void barrier_arrive(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// Arrives, and has the phase wait for that many bytes besides.
DEVICE void barrier_expect(uint32_t barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

// Until the phase of that parity is over. A fresh barrier is in phase 0, so parity 1 does not wait.
DEVICE void barrier_wait(uint32_t barrier, uint32_t parity) {
  asm volatile(
      "{.reg .pred p;\n"
      "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
      "@!p bra again;}" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

// The same for two barriers at once: one round trip to shared memory instead of two.
DEVICE void barriers_wait(uint32_t one, uint32_t one_parity, uint32_t other, uint32_t other_parity) {
  asm volatile(
      "{.reg .pred p, q;\n"
      "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
      "mbarrier.try_wait.parity.shared::cta.b64 q, [%2], %3;\n"
      "and.pred p, p, q;\n"
      "@!p bra again;}" ::"r"(one),
      "r"(one_parity), "r"(other), "r"(other_parity)
      : "memory");
}

DEVICE bool barrier_passed(uint32_t barrier, uint32_t parity) {
  uint32_t passed;
  asm volatile(
      "{.reg .pred p;\n"
      "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
      "selp.b32 %0, 1, 0, p;}"
      : "=r"(passed)
      : "r"(barrier), "r"(parity)
      : "memory");
  return passed != 0;
}

DEVICE bool barriers_passed(uint32_t one, uint32_t one_parity, uint32_t other, uint32_t other_parity) {
  uint32_t passed;
  asm volatile(
      "{.reg .pred p, q;\n"
      "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
      "mbarrier.test_wait.parity.shared::cta.b64 q, [%3], %4;\n"
      "and.pred p, p, q;\n"
      "selp.b32 %0, 1, 0, p;}"
      : "=r"(passed)
      : "r"(one), "r"(one_parity), "r"(other), "r"(other_parity)
      : "memory");
  return passed != 0;
}

// --- turns: hardware barriers on which one warpgroup waits until another has arrived ---

DEVICE void await_turn(int barrier) { asm volatile("bar.sync %0, 256;" ::"r"(barrier) : "memory"); }

DEVICE void end_turn(int barrier) { asm volatile("bar.arrive %0, 256;" ::"r"(barrier) : "memory"); }

// --- the copy engine ---

DEVICE void prefetch_map(const CUtensorMap *map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

// One box at the given column and row of the given head.
DEVICE void load_box(uint32_t to, const CUtensorMap *map, uint32_t barrier, int column, int row, int head) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(to),
      "l"(map), "r"(column), "r"(row), "r"(head), "r"(barrier)
      : "memory");
}

// The same where nothing is read twice: it may leave the L2 first, which then has room for the output.
DEVICE uint64_t first_to_go() {
  uint64_t policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
DEVICE void load_box_once(uint32_t to, const CUtensorMap *map, uint32_t barrier, int column, int row, int head) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint "
      "[%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(to),
      "l"(map), "r"(column), "r"(row), "r"(head), "r"(barrier), "l"(first_to_go())
      : "memory");
}

DEVICE void store_box(const CUtensorMap *map, uint32_t from, int column, int row, int head) {
  asm volatile(
      "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(map),
      "r"(column), "r"(row), "r"(head), "r"(from)
      : "memory");
}

DEVICE void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

// Until this thread's stores have read their shared memory.
DEVICE void wait_for_stores() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }

// Ordinary writes to shared memory before, the copy engine's reads after.
DEVICE void fence_for_copy_engine() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// --- the kernels before and after this one in the stream ---

// Until the kernel before has ended and its writes are seen.
DEVICE void await_kernel_before() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

// Lets the next kernel's thread blocks start as soon as there is room for them.
DEVICE void launch_next_kernel() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }

// --- registers: a warpgroup's threads give them up, and others wait until they can have them ---

template <int COUNT>
DEVICE void release_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(COUNT));
}

template <int COUNT>
DEVICE void claim_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(COUNT));
}

// --- the tensor cores ---

// Orders register writes before the products that follow.
DEVICE void products_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

DEVICE void products_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

template <int PENDING>
DEVICE void products_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory");
}

// Keeps the compiler from moving uses of an accumulator across this point.
template <int COUNT>
DEVICE void pin(float (&d)[COUNT]) {
#pragma unroll
  for (int i = 0; i < COUNT; i++) asm volatile("" : "+f"(d[i])::"memory");
}

#include "wgmma.cuh"

// --- arithmetic and data movement within a warp ---

DEVICE uint32_t pack_halves(float low, float high) {
  uint32_t packed;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}

DEVICE float power_of_two(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

DEVICE float reciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// 2^n for the whole number n, from -126 to 127, in the low bits of `shifted`.
DEVICE float whole_power_of_two(float shifted) {
  return __int_as_float((__float_as_int(shifted) << 23) + 0x3f800000);
}

// Read anew at each call: what rare code computes from it is then not kept in registers all the time.
DEVICE unsigned lane_here() {
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// The same for all lanes of a warp, and known to be.
DEVICE int uniform(int x) { return __shfl_sync(0xffffffffu, x, 0); }

// The value of the lane whose number differs by the bits of `mask`.
DEVICE float from_lane_xor(float x, int mask) {
  return __shfl_xor_sync(0xffffffffu, x, mask);
}

DEVICE bool any_in_warp(bool x) { return __any_sync(0xffffffffu, x); }

// Four 8×8 matrices of 16-bit elements; lane i gives the address of row i % 8 of matrix i / 8.
DEVICE void load_matrices(uint32_t (&to)[4], uint32_t from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(from)
               : "memory");
}

// A word from one thread to others, which a barrier tells when.
DEVICE void tell(uint32_t to, int word) { asm volatile("st.shared.b32 [%0], %1;" ::"r"(to), "r"(word) : "memory"); }
DEVICE int hear(uint32_t from) {
  int word;
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"(from) : "memory");
  return word;
}

// c += a·b within one warp, with a 16×16 and b 16×8 in f16, c in f32.
DEVICE void multiply_in_warp(float *c, const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// The other way: from registers to the rows.
DEVICE void store_matrices(uint32_t to, const uint32_t (&from)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(from[0]),
               "r"(from[1]), "r"(from[2]), "r"(from[3])
               : "memory");
}

#endif
