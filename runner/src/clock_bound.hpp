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
 * Holds times that were claimed on a device with a stream against batches that the judge times itself: from asking for
 * them until it has looked at their outputs. `captured`: of replays.
 */
ClockBound bound_claims(Device &device, Candidate &candidate, PreparedCase &prepared, double claimed_ms, bool cold,
                        bool captured, std::int64_t captured_calls);

/** How much longer the judge may have waited for an interval than the clock inside says that it took. */
double largest_excess_ms(const RoundTrip &round_trip, double inside_ms);

}  // namespace pawl
