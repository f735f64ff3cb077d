#include "timed_kernel.hpp"

#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "random_bits.hpp"

namespace pawl {
namespace {

/** Batches of a CPU's calls are this many round trips long, so that the judge's clock bounds them closely. */
constexpr double TIMES_ROUND_TRIP = 20;
/** Calls in a replay that the judge times: as many as last this long, and no more than one graph should hold. */
constexpr double REPLAY_MS = 2;
constexpr std::int64_t MOST_REPLAYED = 100;

}  // namespace

TimedKernel::TimedKernel(Device &device, Candidate &candidate, PreparedCase &prepared)
    : device_(device), candidate_(candidate), prepared_(prepared), most_calls_(device.pace().most_calls) {}

void TimedKernel::warm_up() {
  if (!warmed_up_) prepared_.run_once(0);
  warmed_up_ = true;
}

double TimedKernel::batch_target_ms() const {
  const Pace pace = device_.pace();
  return pace.has_stream ? pace.batch_ms
                         : std::max(pace.batch_ms, TIMES_ROUND_TRIP * candidate_.round_trip().typical_ms);
}

double TimedKernel::time_batch(std::int64_t calls, bool blocked) {
  Run run = Run::once(0);
  run.repeat = calls;
  run.blocked = blocked;
  return std::max(prepared_.run(run).inside_ms, LEAST_REPORTED_MS);
}

std::int64_t TimedKernel::choose_batch(bool blocked) {
  const double target_ms = batch_target_ms();
  if (!has_stream()) {
    const double batch_ms = time_batch(batch_, false);
    if (batch_ms >= target_ms && (batch_ == 1 || batch_ms <= 4 * target_ms)) return batch_;
    batch_ = 1;
    while (time_batch(batch_, false) < target_ms) batch_ *= 2;
    return batch_;
  }
  const auto ideal = static_cast<std::int64_t>(std::ceil(target_ms / time_batch(1, blocked)));
  const std::int64_t fitting = std::clamp<std::int64_t>(ideal, 1, most_calls_);
  if (batch_ > most_calls_ || 2 * batch_ < fitting || batch_ > 2 * fitting) batch_ = fitting;
  return batch_;
}

std::int64_t TimedKernel::shrink_batch(std::int64_t calls) {
  most_calls_ = batch_ = std::max<std::int64_t>(1, calls / 4);
  return batch_;
}

void TimedKernel::ensure_captured(std::int64_t calls) {
  if (captured_ == calls) return;
  captured_ = 0;
  device_.wait();
  prepared_.capture(calls);
  captured_ = calls;
}

bool TimedKernel::replay_is_the_work() {
  const std::uint64_t key = random_bits() | 1;
  const auto hash_after = [&](bool captured) {
    prepared_.freshen(0, key);
    prepared_.poison_outputs(0);
    Run run = Run::once(0);
    run.captured = captured;
    prepared_.run(run);
    return prepared_.output_hash(0);
  };
  return hash_after(true) == hash_after(false);
}

ClockBound TimedKernel::bound(double claimed_ms, bool cold, bool graph) {
  const auto held = [&](bool captured) {
    return bound_claims(device_, candidate_, prepared_, claimed_ms, cold, captured, captured_);
  };
  if (graph) return held(true);
  // On the host each interval was held against the judge's clock by itself.
  if (!has_stream()) return {};
  ClockBound by_calls{0, false};
  if (!bound_by_replay_) {
    by_calls = held(false);
    if (by_calls.confirmed || launch_bound) return by_calls;
  }
  // Perhaps launching takes longer than the work, which the judge cannot tell from work. A replay is launched at once.
  try {
    if (captured_ == 0)
      ensure_captured(std::clamp<std::int64_t>(std::llround(REPLAY_MS / claimed_ms), 1, MOST_REPLAYED));
    const ClockBound found = held(true);
    // A kernel can tell that it is being captured: what it does then counts only if it gives the same results.
    bound_by_replay_ = found.confirmed && replay_is_the_work();
    return {found.outside_ms, bound_by_replay_};
  } catch (const RunnerError &error) {
    if (error.code() != "unsupported") throw;
    captured_ = 0;
    return by_calls;
  }
}

}  // namespace pawl
