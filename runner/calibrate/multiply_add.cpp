/* The rate of f32 multiply-adds in the widest vectors, from registers, on the CPUs that the runner is pinned to. */
#include <cstdint>

#include "pawl_kernel.h"

namespace {

#if defined(__AVX512F__)
constexpr int VECTOR_BYTES = 64;
#elif defined(__AVX__)
constexpr int VECTOR_BYTES = 32;
#else
constexpr int VECTOR_BYTES = 16;
#endif
constexpr int LANES = VECTOR_BYTES / 4;
typedef float Vector __attribute__((vector_size(VECTOR_BYTES)));

#if defined(__aarch64__)
/** Four units of four cycles' latency want sixteen; there are 32 registers. */
constexpr int CHAINS = 24;
#else
/** Two units of four to five cycles' latency want ten; more than the registers of AVX2 (16) hold would be spilled. */
constexpr int CHAINS = 12;
#endif

/** What one step of the work is worth, whatever the vectors and however many the chains are. */
constexpr int STEP_LANES = 12 * 16;
constexpr int TURNS_PER_STEP = STEP_LANES / (CHAINS * LANES);
static_assert(TURNS_PER_STEP * CHAINS * LANES == STEP_LANES, "a step is a whole number of turns");

/** The constraint of an operand in a vector register, read and written. */
#if defined(__x86_64__)
#define IN_VECTOR "+x"
#elif defined(__aarch64__)
#define IN_VECTOR "+w"
#else
#define IN_VECTOR "+m"
#endif

float multiply_add(std::int64_t steps, float factor, float summand) {
  Vector sums[CHAINS];
  Vector a, b;
  for (int lane = 0; lane < LANES; ++lane) {
    // Near 1 and towards a fixed point, or slowly upwards: neither infinities nor denormal numbers on the way.
    a[lane] = 0.999F + 1e-6F * factor;
    b[lane] = 0.001F + 1e-6F * summand;
  }
  for (int chain = 0; chain < CHAINS; ++chain) sums[chain] = b * static_cast<float>(chain);
  for (std::int64_t turn = 0; turn < steps * TURNS_PER_STEP; ++turn) {
#pragma GCC unroll 24
    for (int chain = 0; chain < CHAINS; ++chain) {
#if defined(__aarch64__)
      // fmla adds to the register that it writes: sums × a + b would take two moves besides. Without the barrier a × b
      // is the same for all chains, and computed once.
      asm volatile("" : IN_VECTOR(b));
      sums[chain] = sums[chain] + a * b;
#else
      // In place also where nothing is fused (SSE2).
      sums[chain] = sums[chain] * a + b;
#endif
    }
    // Each turn has to be done: no compiler may fold the chains, or take them out of the loop.
    asm volatile("" : IN_VECTOR(a), IN_VECTOR(b));
  }
  float total = 0;
  for (int chain = 0; chain < CHAINS; ++chain)
    for (int lane = 0; lane < LANES; ++lane) total += sums[chain][lane];
  return total;
}

}  // namespace

/* dims: STEPS; x: two numbers; y: one for each of 64 parts of the work. Operations: 2 × 12 × 16 × STEPS. */
PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const float *x = static_cast<const float *>(call->tensors[0].data);
  float *y = static_cast<float *>(call->tensors[1].data);
  const std::int64_t steps = call->dims[0].value, parts = call->tensors[1].shape[0];
#pragma omp parallel for schedule(static)
  for (std::int64_t part = 0; part < parts; ++part)
    y[part] = multiply_add(steps * (part + 1) / parts - steps * part / parts, x[0], x[1]);
  return 0;
}
