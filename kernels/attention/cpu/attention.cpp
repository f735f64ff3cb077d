// Attention on the CPU, f32: softmax(Q·Kᵀ/√D)·V with the online softmax, one block of queries at a time.
//
// The query index is innermost everywhere (Q, the scores and the output are held transposed, [d][query] and
// [key][query]), so a vector holds VECTOR queries, the softmax needs no sum across lanes, and elements of K
// and V are broadcast straight from row-major memory. Both products run on register tiles of
// UNROLL × PARTS accumulators. No fast-math: the kernel is right for infinities and NaN.
//
// Tunables, as macros: BLOCK_M queries and BLOCK_N keys a block; VECTOR floats a vector (1 is scalar code);
// UNROLL keys (or columns of V) in a register tile; THREADS; EXP, poly or libm.
#if VECTOR == 1
#pragma GCC optimize("no-tree-vectorize", "no-tree-slp-vectorize")
#endif
#include <math.h>
#include <string.h>
#if THREADS > 1
#include <omp.h>
#endif

#include "pawl_kernel.h"

#define EXP_NAME_poly 1
#define EXP_NAME_libm 2
#define PASTE(a, b) a##b
#define EXP_NUMBER(name) PASTE(EXP_NAME_, name)
#if EXP_NUMBER(EXP) == 0
#error "EXP is poly or libm"
#endif

static_assert(BLOCK_M % VECTOR == 0, "a block of queries is a whole number of vectors");
static_assert(UNROLL >= 1 && BLOCK_N >= 1 && THREADS >= 1, "sizes are positive");

namespace {

#if VECTOR == 1
typedef float Floats;
typedef int32_t Ints;
#else
typedef float Floats __attribute__((vector_size(4 * VECTOR)));
typedef int32_t Ints __attribute__((vector_size(4 * VECTOR)));
#endif

constexpr int VECTORS = BLOCK_M / VECTOR;             // vectors in a block of queries
constexpr int PARTS = VECTORS % 2 == 0 ? 2 : 1;       // of them in one register tile: two share a broadcast
constexpr int64_t LINE_BYTES = 64;

using Row = Floats[VECTORS];  // one d, or one key, of every query in the block

struct Problem {
  const float *q, *k, *v;
  float *o;
  int64_t length, depth;  // S, D
  bool causal;
};

enum { BAD_CALL = 1, BAD_DTYPE = 2 };

#define INLINE static inline __attribute__((always_inline))

INLINE Floats all(float x) { return x - Floats{}; }

INLINE float &lane(Row &row, int query) { return reinterpret_cast<float *>(row)[query]; }

// Which of the queries from `first` on see a key under the mask.
INLINE auto sees(int64_t first, int64_t key) {
  int32_t queries[VECTOR];
  for (int i = 0; i < VECTOR; i++) queries[i] = i;
  Ints query;
  memcpy(&query, queries, sizeof query);
  return query >= static_cast<int32_t>(key - first);
}

// 2^x for x at most a rounding above 0: zero below the normal range, and NaN stays NaN.
INLINE Floats exp2_of(Floats x) {
#if EXP_NUMBER(EXP) == EXP_NUMBER(libm)
  float in[VECTOR], out[VECTOR];
  memcpy(in, &x, sizeof in);
  for (int i = 0; i < VECTOR; i++) out[i] = exp2f(in[i]);
  memcpy(&x, out, sizeof out);
  return x;
#else
  const Floats lowest = all(-126.0f);
  const Floats clamped = x < lowest ? lowest : x;
  // Adding 1.5·2²³ leaves the rounded integer in the low bits of the sum.
  const Floats magic = all(12582912.0f);
  const Floats shifted = clamped + magic;
  const Floats f = clamped - (shifted - magic);
  // 2^f on [-½, ½]: the Taylor series in f·ln 2 to the sixth power, relative error below 2e-8.
  Floats y = all(1.5403530e-4f);
  y = y * f + 1.3333558e-3f;
  y = y * f + 9.6181291e-3f;
  y = y * f + 5.5504109e-2f;
  y = y * f + 2.4022651e-1f;
  y = y * f + 6.9314718e-1f;
  y = y * f + 1.0f;
  Ints bits;
  memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 127) << 23;
  Floats power;
  memcpy(&power, &bits, sizeof power);
  return x < lowest ? Floats{} : y * power;
#endif
}

// sum[r] = start[r] + Σ_i rows[i] · scalars[i·step + r·stride] for WIDTH values of r: both products.
template <int WIDTH>
INLINE void accumulate(Floats (&sum)[WIDTH][PARTS], const Row *rows, int vector, const float *scalars,
                       int64_t count, int64_t step, int64_t stride) {
  for (int64_t i = 0; i < count; i++)
    for (int r = 0; r < WIDTH; r++) {
      const Floats scalar = all(scalars[i * step + r * stride]);
      for (int part = 0; part < PARTS; part++) sum[r][part] += rows[i][vector + part] * scalar;
    }
}

template <int WIDTH>
INLINE void multiply_keys(Row *score, const Row *query, int vector, const float *k, int64_t D) {
  Floats sum[WIDTH][PARTS] = {};
  accumulate<WIDTH>(sum, query, vector, k, D, 1, D);
  for (int r = 0; r < WIDTH; r++)
    for (int part = 0; part < PARTS; part++) score[r][vector + part] = sum[r][part];
}

template <int WIDTH>
INLINE void multiply_values(Row *out, const Row *weight, int vector, const float *v, int64_t D, int keys,
                            const Floats *correction) {
  Floats sum[WIDTH][PARTS];
  for (int r = 0; r < WIDTH; r++)
    for (int part = 0; part < PARTS; part++) sum[r][part] = out[r][vector + part] * correction[part];
  accumulate<WIDTH>(sum, weight, vector, v, keys, D, 1);
  for (int r = 0; r < WIDTH; r++)
    for (int part = 0; part < PARTS; part++) out[r][vector + part] = sum[r][part];
}

// One register tile's queries against one block of keys.
INLINE void visit_keys(const Row *query, Row *score, Row *out, Row &largest, Row &total, int vector,
                       const float *k, const float *v, int64_t D, int keys, int64_t first_query,
                       int64_t first_key, bool masked, float scale) {
  // Under the mask: how many of these keys any query of the tile sees, and how many all of them see.
  const int64_t first_row = first_query + vector * VECTOR;
  int common = keys;
  if (masked) {
    const int64_t any = first_row + PARTS * VECTOR - first_key, all_see = first_row + 1 - first_key;
    if (any <= 0) return;
    keys = static_cast<int>(any < keys ? any : keys);
    common = static_cast<int>(all_see < 0 ? 0 : all_see < keys ? all_see : keys);
  }

  int j = 0;
  for (; j + UNROLL <= keys; j += UNROLL) multiply_keys<UNROLL>(score + j, query, vector, k + j * D, D);
  for (; j < keys; j++) multiply_keys<1>(score + j, query, vector, k + j * D, D);
  for (j = common; j < keys; j++)
    for (int part = 0; part < PARTS; part++) {
      Floats &scores = score[j][vector + part];
      scores = sees(first_row + part * VECTOR, first_key + j) ? scores : all(-INFINITY);
    }

  Floats correction[PARTS];
  for (int part = 0; part < PARTS; part++) {
    const int column = vector + part;
    const Floats before = largest[column], lowest = all(-INFINITY);
    Floats top = lowest;
    for (j = 0; j < keys; j++) top = score[j][column] > top ? score[j][column] : top;
    // The scale comes after the product: what is rounded then is a difference, which is small where it counts.
    const Floats scaled = top * scale, after = scaled > before ? scaled : before;
    // While a row has seen nothing but -inf, subtracting it would make NaN of what should be zero.
    const Floats shift = after == lowest ? Floats{} : after;
    correction[part] = exp2_of(before - shift);
    Floats sum = total[column] * correction[part];
    for (j = 0; j < keys; j++) {
      const Floats weight = exp2_of(score[j][column] * scale - shift);
      score[j][column] = weight;
      sum += weight;
    }
    largest[column] = after;
    total[column] = sum;
  }

  int64_t d = 0;
  for (; d + UNROLL <= D; d += UNROLL)
    multiply_values<UNROLL>(out + d, score, vector, v + d, D, common, correction);
  for (; d < D; d++) multiply_values<1>(out + d, score, vector, v + d, D, common, correction);
  // Not as products with a weight of zero: 0 · NaN is NaN, and what the mask hides is not to be seen.
  for (j = common; j < keys; j++)
    for (int part = 0; part < PARTS; part++) {
      const auto seen = sees(first_row + part * VECTOR, first_key + j);
      const Floats weight = score[j][vector + part];
      for (d = 0; d < D; d++) out[d][vector + part] += seen ? weight * v[j * D + d] : Floats{};
    }
}

// One block of queries of one head. D is a constant where the caller passes one.
INLINE void attend(const Problem &p, int64_t D, int64_t head, int64_t first, Row *scratch) {
  const int64_t S = p.length, base = head * S * D;
  const float *q = p.q + base + first * D, *k = p.k + base, *v = p.v + base;
  const int queries = static_cast<int>(S - first < BLOCK_M ? S - first : BLOCK_M);
  Row *query = scratch, *out = query + D, *score = out + D;
  Row &largest = score[BLOCK_N], &total = score[BLOCK_N + 1];

  // With log2(e)/√D as the scale the softmax is a power of two of a difference.
  const float scale = 1.44269504f / sqrtf(static_cast<float>(D));
  for (int64_t d = 0; d < D; d++)
    for (int i = 0; i < BLOCK_M; i++) lane(query[d], i) = i < queries ? q[i * D + d] : 0;
  for (int64_t d = 0; d < D; d++)
    for (int i = 0; i < VECTORS; i++) out[d][i] = Floats{};
  for (int i = 0; i < VECTORS; i++) {
    largest[i] = all(-INFINITY);
    total[i] = Floats{};
  }

  const int64_t end = p.causal ? first + queries : S;
  for (int64_t key = 0; key < end; key += BLOCK_N) {
    const int keys = static_cast<int>(end - key < BLOCK_N ? end - key : BLOCK_N);
    const bool masked = p.causal && key + keys - 1 > first;
    for (int vector = 0; vector * VECTOR < queries; vector += PARTS)
      visit_keys(query, score, out, largest, total, vector, k + key * D, v + key * D, D, keys, first, key,
                 masked, scale);
  }

  for (int i = 0; i < VECTORS; i++) total[i] = 1.0f / total[i];
  for (int i = 0; i < queries; i++)
    for (int64_t d = 0; d < D; d++)
      p.o[base + (first + i) * D + d] = lane(out[d], i) * lane(total, i);
}

int64_t scratch_rows(int64_t D) { return 2 * D + BLOCK_N + 2; }

int64_t thread_bytes(int64_t D) {
  const int64_t bytes = scratch_rows(D) * static_cast<int64_t>(sizeof(Row));
  return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

__attribute__((noinline)) void attend_block(const Problem &p, int64_t head, int64_t first, Row *scratch) {
  if (p.depth == 64) attend(p, 64, head, first, scratch);
  else if (p.depth == 128) attend(p, 128, head, first, scratch);
  else attend(p, p.depth, head, first, scratch);
}

}  // namespace

PAWL_EXPORT size_t pawl_workspace_bytes(const pawl_call *call) {
  if (call->dim_count != 5) return 0;
  return static_cast<size_t>(THREADS * thread_bytes(call->dims[3].value) + LINE_BYTES);
}

PAWL_EXPORT const char *pawl_error_text(int code) {
  switch (code) {
    case BAD_CALL: return "attention takes dims B, H, S, D, CAUSAL and tensors q, k, v, o of [B, H, S, D]";
    case BAD_DTYPE: return "this attention kernel computes in f32 only";
    default: return "unknown error";
  }
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  if (call->dim_count != 5 || call->tensor_count != 4) return BAD_CALL;
  if (call->workspace_bytes < pawl_workspace_bytes(call)) return BAD_CALL;
  for (int i = 0; i < 4; i++)
    if (call->tensors[i].dtype != PAWL_F32) return BAD_DTYPE;
  const Problem p{static_cast<const float *>(call->tensors[0].data),
                  static_cast<const float *>(call->tensors[1].data),
                  static_cast<const float *>(call->tensors[2].data),
                  static_cast<float *>(call->tensors[3].data),
                  call->dims[2].value,
                  call->dims[3].value,
                  call->dims[4].value != 0};
  const int64_t blocks = (p.length + BLOCK_M - 1) / BLOCK_M;
  const int64_t tasks = call->dims[0].value * call->dims[1].value * blocks;
  const auto start = (reinterpret_cast<uintptr_t>(call->workspace) + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
#if THREADS > 1
#pragma omp parallel for schedule(dynamic) num_threads(THREADS)
#endif
  for (int64_t task = 0; task < tasks; task++) {
#if THREADS > 1
    const int64_t thread = omp_get_thread_num();
#else
    const int64_t thread = 0;
#endif
    // Head by head, so that its K and V stay in the cache; the last block first, because under a causal mask
    // it has the most keys and no thread should end late.
    attend_block(p, task / blocks, (blocks - 1 - task % blocks) * BLOCK_M,
                 reinterpret_cast<Row *>(start + thread * thread_bytes(p.depth)));
  }
  return 0;
}
