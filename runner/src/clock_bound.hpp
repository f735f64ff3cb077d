#pragma once

#include <string>
#include <vector>

#include "prepared_case.hpp"

namespace pawl {

/** What the judge's own clock says of a call, and whether what was claimed can be true beside it. */
struct ClockBound {
  /** The least that a call took by the judge's clock, without what a round trip costs. */
  double outside_ms = 0;
  bool confirmed = true;
};

/**
 * Holds the times that were claimed for single calls against batches that the judge times itself: from asking for
 * them until it has looked at their outputs. `captured`: of replays.
 */
ClockBound bound_claims(Device &device, Candidate &candidate, PreparedCase &prepared, double claimed_ms, bool cold,
                        bool captured, std::int64_t captured_calls);

/** Whether the intervals of a request can be true beside what the judge saw of each. */
bool plausible(const std::vector<RunOutcome> &outcomes, const RoundTrip &round_trip, double allowance_ms);

}  // namespace pawl
