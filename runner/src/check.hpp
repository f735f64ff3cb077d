#pragma once

#include <cstdint>

#include "compare.hpp"
#include "device.hpp"
#include "json.hpp"
#include "judges.hpp"
#include "prepared_case.hpp"
#include "watch/candidate_watch.hpp"

namespace pawl {

struct CheckRequest {
  RuleSet rules;
  std::uint64_t seed;
  /** Also look for what takes many calls, or some time, to see. */
  bool audit = false;
  /** The same inputs may give different outputs, as long as all of them are right. */
  bool nondeterministic = false;
  /** Also try whether the rules see: answers that need no work must not pass. */
  bool blind = false;
};

/** Runs the kernel on fresh inputs against the oracle and the checker, and looks for what it should not do: the result of `check`. */
Json check(Device &device, PreparedCase &prepared, const Judges &judges, CandidateWatch &watch,
           const CheckRequest &request);

}  // namespace pawl
