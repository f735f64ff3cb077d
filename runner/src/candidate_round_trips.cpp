// What a round trip to a candidate costs, found out by runs that do nothing.
#include <algorithm>
#include <vector>

#include "candidate.hpp"
#include "thread_work.hpp"

namespace pawl {
namespace {

/** Empty runs that tell what a round trip costs; the first few wake everything up. */
constexpr int WARM_UPS = 2, ROUND_TRIPS = 20;
/** Of those after a rest: about as long as it takes to prepare a call, and as a call takes. */
constexpr double REST_MS = 1;
constexpr std::size_t LASTING = 10;

}  // namespace

std::vector<double> Candidate::excesses_ms(bool rested, double lasting_ms, double before_ms) {
  std::vector<double> excess;
  for (int i = 0; i < WARM_UPS + ROUND_TRIPS; ++i) {
    Run nothing;
    nothing.repeat = 0;
    nothing.bare = true;
    nothing.lasting_ms = lasting_ms;
    if (rested) nothing.sets.assign(LASTING, 0);
    if (!start_.cuda) freeze();
    // By working, not by sleeping: the judge is at work before an interval, and its candidate is not.
    const double worked_ms = thread_work_ms();
    sharing_.stir();
    while (thread_work_ms() - worked_ms < before_ms) continue;
    const RunOutcome outcome = run(nothing);
    if (i >= WARM_UPS) excess.push_back(outcome.outside_ms - outcome.inside_ms);
  }
  std::sort(excess.begin(), excess.end());
  return excess;
}

RoundTrip Candidate::measure_round_trip() {
  RoundTrip best;
  // On a busy machine most round trips wait for a CPU. What one costs by itself is what the quicker ones take.
  for (int attempt = 0; attempt < 2; ++attempt) {
    const std::vector<double> excess = excesses_ms();
    const RoundTrip found{excess[excess.size() / 4], excess[excess.size() * 9 / 10]};
    if (attempt == 0 || found.typical_ms < best.typical_ms) best = found;
    if (best.high_ms < 3 * best.typical_ms) break;
  }
  return best;
}

double Candidate::quick_share(double limit_ms, double lasting_ms, double before_ms) {
  // By an empty candidate of its own: this one holds kernel code, which could be slow on purpose.
  CandidateStart empty = start_;
  empty.scratch.clear();
  Candidate other(sharing_, empty);
  const std::vector<double> excess = other.excesses_ms(false, lasting_ms, before_ms);
  const auto quick = std::count_if(excess.begin(), excess.end(), [limit_ms](double ms) { return ms <= limit_ms; });
  return static_cast<double>(quick) / static_cast<double>(excess.size());
}

double Candidate::rested_round_trip_ms() {
  CandidateStart empty = start_;
  empty.scratch.clear();
  Candidate other(sharing_, empty);
  const std::vector<double> excess = other.excesses_ms(true, 0, REST_MS);
  // Not their middle: what a busy machine adds to most of them is looked for elsewhere (`quick_share`).
  return excess[excess.size() / 4];
}

}  // namespace pawl
