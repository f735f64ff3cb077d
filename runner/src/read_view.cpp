#include "read_view.hpp"

#include <algorithm>
#include <string>

#include "error.hpp"

namespace pawl {
namespace {

/** As large as a tensor may be (problem.cpp). */
constexpr std::size_t MOST_STORED = std::size_t(1) << 52;

/**
 * Whether two elements may lie at one place. From the shortest stride on, each axis that steps over everything that
 * the axes before reach makes no two elements meet. Others may or may not; whether they do is a hard question, and
 * the answer is not needed.
 */
bool may_overlap(const View &view) {
  std::vector<int> axes;
  for (int axis = 0; axis < view.rank; ++axis)
    if (view.shape[axis] > 1) axes.push_back(axis);
  std::sort(axes.begin(), axes.end(), [&](int one, int other) { return view.strides[one] < view.strides[other]; });
  std::int64_t reach = 0;
  for (const int axis : axes) {
    if (view.strides[axis] <= reach) return true;
    reach += (view.shape[axis] - 1) * view.strides[axis];
  }
  return false;
}

}  // namespace

std::optional<View> read_view(const Fields &tensor, const std::vector<std::int64_t> &shape) {
  if (!tensor.has("strides")) return std::nullopt;
  const std::vector<Json> &strides = tensor.array("strides");
  if (strides.size() != shape.size()) bad_request(tensor.path("strides") + " has not one stride for each axis");
  if (shape.size() > MOST_AXES)
    bad_request(tensor.path("strides") + " has more than " + std::to_string(MOST_AXES) + " axes");
  View view;
  view.rank = static_cast<int>(shape.size());
  view.offset = static_cast<std::size_t>(tensor.has("offset") ? tensor.integer("offset", 0) : 0);
  std::size_t last = view.offset;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (!strides[axis].is_integer() || strides[axis].integer() < 0)
      bad_request(tensor.path("strides") + " has " + strides[axis].text() + " where an integer of 0 or more was expected");
    view.shape[axis] = shape[axis];
    view.strides[axis] = strides[axis].integer();
    view.elements *= static_cast<std::size_t>(shape[axis]);
    std::size_t reach = 0;
    if (__builtin_mul_overflow(static_cast<std::size_t>(shape[axis] - 1), static_cast<std::size_t>(view.strides[axis]),
                               &reach) ||
        __builtin_add_overflow(last, reach, &last) || last >= MOST_STORED)
      bad_request(tensor.path("strides") + " reach further than memory does");
  }
  view.stored = last + 1;
  view.may_overlap = may_overlap(view);
  return view;
}

}  // namespace pawl
