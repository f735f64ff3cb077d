#include "clock_bound.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "random_bits.hpp"

namespace pawl {
namespace {

using Clock = std::chrono::steady_clock;

/** Claims may be this much below what the judge saw: a GPU's clock moves by as much between a call and a batch. */
constexpr double TOLERANCE = 0.15;
/** A batch is this many times as long as what a round trip costs: longer ones heat the device, and slow it ... */
constexpr double TIMES_ROUND_TRIP = 15;
/** ... and at least and at most so long. Where outputs are returned, handing them in is part of a batch as well. */
constexpr double LEAST_MS = 0.5, LEAST_RETURNING_MS = 20, MOST_MS = 50;
constexpr std::int64_t MOST_CALLS = 20'000;
/** The least of the batches counts, since whatever else the machine does only adds: so many before anybody is refused. */
constexpr int MOST_BATCHES = 14;
/** A single interval may claim this much less than was seen, and this share of it. */
constexpr double SLACK_MS = 0.004, SLACK_SHARE = 0.05;

}  // namespace

ClockBound bound_claims(Device &device, Candidate &candidate, PreparedCase &prepared, double claimed_ms, bool cold,
                        bool captured, std::int64_t captured_calls) {
  Run run;
  run.bare = true;
  std::int64_t calls_each = 1;
  if (captured) {
    run.sets = {0};
    run.captured = true;
    calls_each = captured_calls;
  } else if (cold && !candidate.returns_outputs()) {
    for (std::size_t set = 0; set < prepared.set_count(); ++set) run.sets.push_back(set);
  } else {
    run.sets = {0};
  }
  const RoundTrip round_trip = candidate.round_trip();
  const bool hands_in = candidate.returns_outputs() && device.stream() != nullptr;
  const double wanted_ms = std::clamp(TIMES_ROUND_TRIP * (round_trip.typical_ms + prepared.finishing_ms()),
                                      hands_in ? LEAST_RETURNING_MS : LEAST_MS, MOST_MS);
  // Of long calls, few are enough.
  const double sets_wanted = std::ceil(wanted_ms / std::max(claimed_ms, 1e-6));
  if (sets_wanted < static_cast<double>(run.sets.size())) run.sets.resize(static_cast<std::size_t>(std::max(sets_wanted, 1.0)));
  const double pass_ms = std::max(claimed_ms * static_cast<double>(run.sets.size()) * static_cast<double>(calls_each), 1e-6);
  run.repeat = std::clamp<std::int64_t>(std::llround(std::ceil(wanted_ms / pass_ms)), 1, MOST_CALLS);
  const double calls = static_cast<double>(run.repeat) * static_cast<double>(run.sets.size()) * static_cast<double>(calls_each);

  ClockBound bound;
  bound.outside_ms = INFINITY;
  const auto enough = [&] {
    // What a round trip costs varies by about as much as it is, and is shared by all calls of a batch.
    const double unsure_ms =
        (round_trip.high_ms - round_trip.typical_ms + 0.2 * round_trip.typical_ms + prepared.finishing_ms()) / calls;
    return claimed_ms >= bound.outside_ms * (1 - TOLERANCE) - unsure_ms;
  };
  for (int batch = 0; batch == 0 || (batch < MOST_BATCHES && !enough()); ++batch) {
    for (const std::size_t set : run.sets) {
      // New in full: a batch on known contents would only bound what is remembered.
      prepared.renew(set);
      prepared.poison_outputs(set);
      prepared.make_ready(set);
    }
    device.wait();
    const auto begun = Clock::now();
    prepared.run(run);
    // Results that are made when they are looked at are made now.
    prepared.glance(run.sets.back());
    const double outside_ms = std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
    bound.outside_ms = std::min(bound.outside_ms, std::max(0.0, outside_ms - round_trip.typical_ms) / calls);
  }
  bound.confirmed = enough();
  return bound;
}

double largest_excess_ms(const RoundTrip &round_trip, double inside_ms) {
  return 1.5 * round_trip.typical_ms + SLACK_MS + SLACK_SHARE * inside_ms;
}

}  // namespace pawl
