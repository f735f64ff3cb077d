#pragma once

#include <cstdint>

#include "compare.hpp"
#include "device.hpp"
#include "json.hpp"
#include "kernel_library.hpp"
#include "prepared_case.hpp"

namespace pawl {

/** Runs the kernel on fresh inputs, twice, against the oracle: the result of the `check` operation. */
Json check(Device &device, PreparedCase &prepared, const Library &oracle, Tolerance tolerance, std::uint64_t seed,
           bool audited);

}  // namespace pawl
