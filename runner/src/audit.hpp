#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device.hpp"
#include "json.hpp"
#include "prepared_case.hpp"
#include "tamper.hpp"

namespace pawl {

/** A kernel function that one call launches, and how often. */
struct Launch {
  std::string name;
  std::int64_t grid[3];
  std::int64_t block[3];
  std::int64_t count;
};

/** What an audit found, and what it could not look at. */
struct AuditReport {
  std::vector<Tamper> tampering;
  std::vector<std::string> notes;
  /** Empty where the device does not tell. */
  std::vector<Launch> launches;

  void found(const char *detector, std::string message) { tampering.push_back({detector, "", std::move(message)}); }
};

Json launches_json(const std::vector<Launch> &launches);

/**
 * Looks for what takes many calls, or a look around the process, to see. The kernel has run before, so that what
 * only its first call does is over. `extra` receives the fields `launches` and `notes` of a check's result.
 */
std::vector<Tamper> audit(Device &device, PreparedCase &prepared, Json &extra);

}  // namespace pawl
