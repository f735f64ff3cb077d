#pragma once

#include <vector>

#include "device.hpp"
#include "json.hpp"
#include "prepared_case.hpp"
#include "tamper.hpp"

namespace pawl {

/**
 * Looks for what takes many calls to see. `extra` is an object; it receives fields for the result of `check`, such as
 * `launches` and `notes`.
 */
std::vector<Tamper> audit(Device &device, PreparedCase &prepared, Json &extra);

}  // namespace pawl
