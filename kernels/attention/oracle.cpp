// The attention oracle: softmax(Q·Kᵀ/√D)·V in double precision, the whole row of scores at once, so that it
// shares neither the online softmax nor the rounding of the kernels it judges. `pawl_reference` is the same sum
// in the precision a trusted kernel has: f32 for f16, bf16 and f32 tensors, weights of f16 and bf16 tensors
// rounded before the second product, the output rounded once.
//
// NaN and infinities: a query that is not finite makes its own row NaN; a key or value that is NaN makes every
// row NaN that sees it; a score of +inf makes its row NaN; a score of -inf has no weight, and a row of nothing
// else is NaN. A key hidden by the mask contributes nothing, whatever it and its value hold.
//
// Queries are taken sixteen at a time with the query index innermost: every step is then a plain loop over
// sixteen independent lanes. Threads are std::thread, so that no compiler flag is needed for speed.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <system_error>
#include <thread>
#include <vector>

#include "pawl_half.h"
#include "pawl_kernel.h"

namespace {

constexpr int QUERIES = 16;    // in a task
constexpr int TILE = 4;        // keys, or columns of V, in one register tile

// A vector is 64 bytes: one of floats holds all queries of a task, of doubles it takes two.
typedef double Doubles __attribute__((vector_size(64)));
typedef float Floats __attribute__((vector_size(64)));
template <typename T> struct Vector;
template <> struct Vector<double> { typedef Doubles type; };
template <> struct Vector<float> { typedef Floats type; };

// One d, or one key, of every query of the task.
template <typename T>
struct alignas(64) Row {
  static constexpr int PARTS = QUERIES * static_cast<int>(sizeof(T)) / 64;
  typename Vector<T>::type part[PARTS];
  T &operator[](int query) { return reinterpret_cast<T *>(part)[query]; }
};

struct Shape {
  int64_t heads, length, depth;  // B·H, S, D
  bool causal;
};

// One head in the precision of the sum; where it came from, and where its output goes.
template <typename T>
struct Head {
  const T *q, *k, *v;
  T *o;
  T (*round_weight)(T);
};

#define INLINE __attribute__((always_inline)) inline

// out[r] = Σ_i rows[i] · scalars[i·step + r·stride] for r < WIDTH: both matrix products are this sum.
template <int WIDTH, typename T>
INLINE void accumulate(Row<T> *out, const Row<T> *rows, const T *scalars, int64_t count, int64_t step,
                       int64_t stride) {
  Row<T> sum[WIDTH] = {};
  for (int64_t i = 0; i < count; i++)
    for (int r = 0; r < WIDTH; r++)
      for (int part = 0; part < Row<T>::PARTS; part++)
        sum[r].part[part] += rows[i].part[part] * scalars[i * step + r * stride];
  for (int r = 0; r < WIDTH; r++) out[r] = sum[r];
}

template <typename T>
INLINE void attend(const Shape &shape, const Head<T> &head, int64_t first, Row<T> *scratch) {
  const int64_t S = shape.length, D = shape.depth;
  const int queries = static_cast<int>(std::min<int64_t>(QUERIES, S - first));
  const int64_t keys = shape.causal ? first + queries : S;
  // The keys that every query of the task sees; under the mask the rest are seen by some.
  const int64_t common = shape.causal ? first + 1 : S;
  Row<T> *query = scratch, *score = query + D, *out = score + S;
  const T scale = 1 / std::sqrt(static_cast<T>(D));

  for (int64_t d = 0; d < D; d++)
    for (int i = 0; i < QUERIES; i++) query[d][i] = i < queries ? head.q[(first + i) * D + d] : 0;

  int64_t j = 0;
  for (; j + TILE <= keys; j += TILE) accumulate<TILE>(score + j, query, head.k + j * D, D, 1, D);
  for (; j < keys; j++) accumulate<1>(score + j, query, head.k + j * D, D, 1, D);

  T inverse[QUERIES];
  for (int i = 0; i < QUERIES; i++) {
    const int64_t seen = i >= queries ? 0 : shape.causal ? first + i + 1 : keys;
    T largest = -std::numeric_limits<T>::infinity(), sum = 0;
    for (j = 0; j < seen; j++) {
      const T scaled = score[j][i] *= scale;
      largest = scaled > largest ? scaled : largest;
    }
    for (j = 0; j < seen; j++) {
      const T weight = std::exp(score[j][i] - largest);
      sum += weight;
      score[j][i] = head.round_weight == nullptr ? weight : head.round_weight(weight);
    }
    inverse[i] = 1 / sum;
  }

  int64_t d = 0;
  for (; d + TILE <= D; d += TILE) accumulate<TILE>(out + d, score, head.v + d, common, D, 1);
  for (; d < D; d++) accumulate<1>(out + d, score, head.v + d, common, D, 1);
  for (int i = 0; i < queries; i++) {
    // Not as products with a weight of zero: 0 · NaN is NaN, and a hidden value is not to be seen.
    for (j = common; shape.causal && j <= first + i; j++)
      for (d = 0; d < D; d++) out[d][i] += score[j][i] * head.v[j * D + d];
    for (d = 0; d < D; d++) head.o[(first + i) * D + d] = out[d][i] * inverse[i];
  }
}

#if defined(__x86_64__)
// target_clones picks the widest vectors the machine has when the library is loaded.
#define FOR_THIS_MACHINE __attribute__((target_clones("avx512f", "avx2,fma", "default"), optimize("O3")))
#else
#define FOR_THIS_MACHINE __attribute__((optimize("O3")))
#endif

FOR_THIS_MACHINE void attend_f64(const Shape &shape, const Head<double> &head, int64_t first, Row<double> *scratch) {
  attend(shape, head, first, scratch);
}

FOR_THIS_MACHINE void attend_f32(const Shape &shape, const Head<float> &head, int64_t first, Row<float> *scratch) {
  attend(shape, head, first, scratch);
}

// Calls work(task, state) for every task, in order, on every CPU there is; each thread has a state of its own.
template <typename State, typename Work>
void for_each_task(int64_t tasks, Work work) {
  std::atomic<int64_t> next{0};
  auto loop = [&] {
    State state;
    for (int64_t task; (task = next++) < tasks;) work(task, state);
  };
  const int64_t cpus = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> helpers;
  try {
    for (int64_t i = 1; i < std::min(cpus, tasks); i++) helpers.emplace_back(loop);
  } catch (const std::system_error &) {
    // A process limit on threads: the ones there are do all of it.
  }
  loop();
  for (auto &helper : helpers) helper.join();
}

int64_t blocks_of(const Shape &shape) { return (shape.length + QUERIES - 1) / QUERIES; }

size_t scratch_rows(const Shape &shape) { return static_cast<size_t>(2 * shape.depth + shape.length); }

void run_f64(const Shape &shape, const pawl_call *call) {
  const int64_t blocks = blocks_of(shape);
  for_each_task<std::vector<Row<double>>>(blocks * shape.heads, [&](int64_t task, auto &scratch) {
    scratch.resize(scratch_rows(shape));
    const int64_t at = task / blocks * shape.length * shape.depth;
    const auto tensor = [&](int i) { return static_cast<double *>(call->tensors[i].data) + at; };
    attend_f64(shape, {tensor(0), tensor(1), tensor(2), tensor(3), nullptr}, task % blocks * QUERIES, scratch.data());
  });
}

float widen_f16(uint16_t bits) {
  pawl_half value;
  std::memcpy(&value, &bits, 2);
  return static_cast<float>(value);
}

uint16_t narrow_f16(float x) {
  const pawl_half value = static_cast<pawl_half>(x);
  uint16_t bits;
  std::memcpy(&bits, &value, 2);
  return bits;
}

float widen_bf16(uint16_t bits) {
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, 4);
  return value;
}

// To nearest, ties to even; NaN stays NaN.
uint16_t narrow_bf16(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  if (std::isnan(x)) return 0x7FC0;
  return static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

float round_f16(float x) { return widen_f16(narrow_f16(x)); }
float round_bf16(float x) { return widen_bf16(narrow_bf16(x)); }

// What a thread keeps while it works on one head.
struct WideHead {
  int64_t head = -1;
  std::vector<float> q, k, v, o;
  std::vector<Row<float>> scratch;
};

void run_small(const Shape &shape, const pawl_call *call, bool is_f16) {
  const int64_t blocks = blocks_of(shape), size = shape.length * shape.depth;
  const auto widen = is_f16 ? widen_f16 : widen_bf16;
  const auto narrow = is_f16 ? narrow_f16 : narrow_bf16;
  for_each_task<WideHead>(blocks * shape.heads, [&](int64_t task, WideHead &wide) {
    const int64_t head = task / blocks, first = task % blocks * QUERIES;
    if (wide.head != head) {
      wide.head = head;
      wide.scratch.resize(scratch_rows(shape));
      std::vector<float> *inputs[] = {&wide.q, &wide.k, &wide.v};
      for (int t = 0; t < 3; t++) {
        const auto *from = static_cast<const uint16_t *>(call->tensors[t].data) + head * size;
        inputs[t]->resize(static_cast<size_t>(size));
        std::transform(from, from + size, inputs[t]->begin(), widen);
      }
      wide.o.resize(static_cast<size_t>(size));
    }
    attend_f32(shape, {wide.q.data(), wide.k.data(), wide.v.data(), wide.o.data(), is_f16 ? round_f16 : round_bf16},
               first, wide.scratch.data());
    const int64_t start = first * shape.depth, end = std::min(size, start + QUERIES * shape.depth);
    auto *to = static_cast<uint16_t *>(call->tensors[3].data) + head * size;
    std::transform(wide.o.begin() + start, wide.o.begin() + end, to + start, narrow);
  });
}

void run_f32(const Shape &shape, const pawl_call *call) {
  const int64_t blocks = blocks_of(shape);
  for_each_task<std::vector<Row<float>>>(blocks * shape.heads, [&](int64_t task, auto &scratch) {
    scratch.resize(scratch_rows(shape));
    const int64_t at = task / blocks * shape.length * shape.depth;
    const auto tensor = [&](int i) { return static_cast<float *>(call->tensors[i].data) + at; };
    attend_f32(shape, {tensor(0), tensor(1), tensor(2), tensor(3), nullptr}, task % blocks * QUERIES, scratch.data());
  });
}

enum { BAD_CALL = 1, BAD_DTYPE = 2 };

// Dims B, H, S, D, CAUSAL; tensors q, k, v, o, each [B, H, S, D] and all of one type.
int run(const pawl_call *call, bool is_reference) {
  if (call->dim_count != 5 || call->tensor_count != 4) return BAD_CALL;
  const int32_t dtype = call->tensors[0].dtype;
  for (int t = 1; t < 4; t++)
    if (call->tensors[t].dtype != dtype) return BAD_DTYPE;
  const Shape shape{call->dims[0].value * call->dims[1].value, call->dims[2].value, call->dims[3].value,
                    call->dims[4].value != 0};
  if (dtype == PAWL_F64) run_f64(shape, call);
  else if (!is_reference) return BAD_DTYPE;
  else if (dtype == PAWL_F32) run_f32(shape, call);
  else if (dtype == PAWL_F16 || dtype == PAWL_BF16) run_small(shape, call, dtype == PAWL_F16);
  else return BAD_DTYPE;
  return 0;
}

}  // namespace

PAWL_EXPORT int pawl_oracle(const pawl_call *call) { return run(call, false); }

PAWL_EXPORT int pawl_reference(const pawl_call *call) { return run(call, true); }
