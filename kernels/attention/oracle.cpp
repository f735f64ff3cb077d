// The attention oracle: softmax(Q·Kᵀ/√D)·V in double precision, the whole row of scores at once, so that it
// shares neither the online softmax nor the rounding of the kernels it judges.
//
// Queries are taken sixteen at a time with the query index innermost: every step is then a plain loop over
// sixteen independent lanes. Threads are std::thread, so that no compiler flag is needed for speed.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <system_error>
#include <thread>
#include <vector>

#include "pawl_kernel.h"

namespace {

constexpr int LANES = 8;       // doubles in one vector
constexpr int PARTS = 2;       // vectors of queries in a task
constexpr int QUERIES = LANES * PARTS;
constexpr int TILE = 4;        // keys, or columns of V, in one register tile: 4 × 2 accumulators

typedef double Lanes __attribute__((vector_size(8 * LANES)));

// One d, or one key, of every query of the task.
struct alignas(64) Row {
  Lanes part[PARTS];
  double &operator[](int query) { return reinterpret_cast<double *>(part)[query]; }
};

struct Problem {
  const double *q, *k, *v;
  double *o;
  int64_t heads, length, depth;  // B·H, S, D
  bool causal;
};

// out[r] = Σ_i rows[i] · scalars[i·step + r·stride] for r < WIDTH: both matrix products are this sum.
template <int WIDTH>
__attribute__((always_inline)) inline void accumulate(Row *out, const Row *rows, const double *scalars,
                                                      int64_t count, int64_t step, int64_t stride) {
  Row sum[WIDTH] = {};
  for (int64_t i = 0; i < count; i++)
    for (int r = 0; r < WIDTH; r++)
      for (int part = 0; part < PARTS; part++)
        sum[r].part[part] += rows[i].part[part] * scalars[i * step + r * stride];
  for (int r = 0; r < WIDTH; r++) out[r] = sum[r];
}

// target_clones picks the widest vectors the machine has when the library is loaded.
__attribute__((target_clones("avx512f", "avx2,fma", "default"), optimize("O3")))
void attend(const Problem &p, int64_t head, int64_t first, Row *scratch) {
  const int64_t S = p.length, D = p.depth;
  const double *q = p.q + head * S * D, *k = p.k + head * S * D, *v = p.v + head * S * D;
  const int64_t queries = std::min<int64_t>(QUERIES, S - first);
  const int64_t keys = p.causal ? first + queries : S;
  Row *query = scratch, *score = query + D, *out = score + S;
  const double scale = 1 / std::sqrt(static_cast<double>(D));

  for (int64_t d = 0; d < D; d++)
    for (int i = 0; i < QUERIES; i++) query[d][i] = i < queries ? q[(first + i) * D + d] * scale : 0;

  int64_t j = 0;
  for (; j + TILE <= keys; j += TILE) accumulate<TILE>(score + j, query, k + j * D, D, 1, D);
  for (; j < keys; j++) accumulate<1>(score + j, query, k + j * D, D, 1, D);

  for (int i = 0; i < QUERIES; i++) {
    const int64_t seen = i >= queries ? 0 : p.causal ? first + i + 1 : keys;
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (j = 0; j < seen; j++) largest = score[j][i] > largest ? score[j][i] : largest;
    for (j = 0; j < seen; j++) sum += score[j][i] = std::exp(score[j][i] - largest);
    for (j = 0; j < seen; j++) score[j][i] /= sum;
    for (; j < keys; j++) score[j][i] = 0;
  }

  int64_t d = 0;
  for (; d + TILE <= D; d += TILE) accumulate<TILE>(out + d, score, v + d, keys, D, 1);
  for (; d < D; d++) accumulate<1>(out + d, score, v + d, keys, D, 1);
  for (int i = 0; i < queries; i++)
    for (d = 0; d < D; d++) p.o[(head * S + first + i) * D + d] = out[d][i];
}

}  // namespace

// Dims B, H, S, D, CAUSAL; tensors q, k, v, o, each [B, H, S, D].
PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  if (call->dim_count != 5 || call->tensor_count != 4) return 1;
  Problem p{static_cast<const double *>(call->tensors[0].data),
            static_cast<const double *>(call->tensors[1].data),
            static_cast<const double *>(call->tensors[2].data),
            static_cast<double *>(call->tensors[3].data),
            call->dims[0].value * call->dims[1].value,
            call->dims[2].value,
            call->dims[3].value,
            call->dims[4].value != 0};
  const int64_t blocks = (p.length + QUERIES - 1) / QUERIES, tasks = blocks * p.heads;
  std::atomic<int64_t> next{0};
  auto work = [&] {
    std::vector<Row> scratch(static_cast<size_t>(2 * p.depth + p.length));
    for (int64_t task; (task = next++) < tasks;) attend(p, task / blocks, task % blocks * QUERIES, scratch.data());
  };
  const int64_t cpus = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> helpers;
  try {
    for (int64_t i = 1; i < std::min(cpus, tasks); i++) helpers.emplace_back(work);
  } catch (const std::system_error &) {
    // A process limit on threads: the ones there are do all of it.
  }
  work();
  for (auto &helper : helpers) helper.join();
  return 0;
}
