#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fill.hpp"
#include "host_device.hpp"

namespace pawl {

/** Axes of a view; a complex element is one more axis of two numbers. */
constexpr int MOST_AXES = 8;

/**
 * Where the elements of a tensor lie in its storage when they are not one after the other. Strides and offset are
 * counted in elements of the storage, and never negative.
 */
struct View {
  int rank = 0;
  std::int64_t shape[MOST_AXES + 1] = {};
  std::int64_t strides[MOST_AXES + 1] = {};
  std::size_t offset = 0;
  std::size_t elements = 1;
  /** Of the storage: up to the last one that the view has. */
  std::size_t stored = 1;
  /** Whether two elements may lie at one place. False only where that is certain. */
  bool may_overlap = false;

  /** Where an element lies, which is counted in row-major order. */
  PAWL_HOST_DEVICE std::size_t place(std::size_t index) const {
    std::size_t at = offset;
    for (int axis = rank - 1; axis >= 0; --axis) {
      const std::size_t extent = static_cast<std::size_t>(shape[axis]);
      at += index % extent * static_cast<std::size_t>(strides[axis]);
      index /= extent;
    }
    return at;
  }

  std::vector<std::int64_t> strides_list() const { return {strides, strides + rank}; }

  /** The same of the numbers that complex elements consist of. */
  View of_parts() const {
    View parts = *this;
    for (int axis = 0; axis < rank; ++axis) parts.strides[axis] *= 2;
    parts.shape[rank] = 2;
    parts.strides[rank] = 1;
    ++parts.rank;
    parts.offset *= 2;
    parts.elements *= 2;
    parts.stored *= 2;
    return parts;
  }
};

/**
 * Fills an element of a view. What lies at one place has one value, whichever of its elements asks: where elements may
 * share places, the value is that of the place.
 */
PAWL_HOST_DEVICE inline void fill_viewed(void *data, pawl_dtype dtype, const View &view, const Fill &fill,
                                         std::uint64_t key, std::size_t index) {
  const std::size_t place = view.place(index);
  const std::size_t drawn = view.may_overlap ? place : index;
  if (fill.kind == FillKind::recorded) {
    copy_element(data, place, fill.recorded, recorded_source(view.elements, key, drawn), dtype_bytes(dtype));
    return;
  }
  const Pair values = fill_values(fill, dtype, key, drawn / 2);
  store_element(data, dtype, place, filled_value(dtype, fill, key, drawn, drawn % 2 == 0 ? values.even : values.odd));
}

/** As `refresh_element` does, in a view. */
PAWL_HOST_DEVICE inline void refresh_viewed(void *data, pawl_dtype dtype, const View &view, const Fill &fill,
                                            std::uint64_t places_key, std::uint64_t values_key, std::size_t which) {
  fill_viewed(data, dtype, view, fill, values_key, fresh_place(view.elements, places_key, which));
}

}  // namespace pawl
