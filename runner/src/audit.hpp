#pragma once

#include <string>
#include <vector>

#include "device.hpp"
#include "json.hpp"
#include "prepared_case.hpp"
#include "tamper.hpp"
#include "watch/candidate_watch.hpp"

namespace pawl {

/** What an audit found, and what it could not look at. */
struct AuditReport {
  std::vector<Tamper> tampering;
  std::vector<std::string> notes;

  void found(const char *detector, std::string message) { tampering.push_back({detector, "", std::move(message)}); }
};

/**
 * Looks for what takes many calls, or a look around the process, to see. The kernel has run before, so that what
 * only its first call does is over. `extra` receives the fields `launches` and `notes` of a check's result.
 */
std::vector<Tamper> audit(Device &device, PreparedCase &prepared, CandidateWatch &watch, Json &extra);

}  // namespace pawl
