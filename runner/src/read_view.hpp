#pragma once

#include <optional>
#include <vector>

#include "fields.hpp"
#include "view.hpp"

namespace pawl {

/** The view that a tensor of a request is, by its `strides` and `offset`; absent: its elements lie one after the other. */
std::optional<View> read_view(const Fields &tensor, const std::vector<std::int64_t> &shape);

}  // namespace pawl
