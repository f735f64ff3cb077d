#include "sampling.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

#include "device_watch.hpp"
#include "error.hpp"
#include "milliseconds_since.hpp"
#include "quantile.hpp"
#include "random_bits.hpp"
#include "throttle_log.hpp"
#include "unseen_time.hpp"

namespace pawl {
namespace {

using Clock = std::chrono::steady_clock;

/** A call cannot take no time: the least that is reported. */
constexpr double LEAST_MS = 1e-6;
/** Calls that find out what looking for work elsewhere costs. */
constexpr int RESTED = 5;
/** Batches of a CPU's calls are this many round trips long, so that the judge's clock bounds them closely. */
constexpr double TIMES_ROUND_TRIP = 20;

/** Calls in a replay that the judge times: as many as last this long, and no more than one graph should hold. */
constexpr double REPLAY_MS = 2;
constexpr std::int64_t MOST_REPLAYED = 100;

/** So many intervals may be unconfirmed, and so many times as many as are wanted: a busy machine confirms a few. */
constexpr std::size_t MOST_UNCONFIRMED = 50, TIMES_UNCONFIRMED = 30;
/** Unless they take longer than this, or the request's budget. Of later attempts, so many are seen even then. */
constexpr double MOST_UNCONFIRMED_MS = 5000;
constexpr std::size_t LEAST_AGAIN = 15;
/** Fewer confirmed ones are not a series. The machine is the cause where empty round trips are rarely quick. */
constexpr std::size_t FEWEST_CONFIRMED = 3;
constexpr double LEAST_QUICK = 0.4;
/** An honest candidate that is tried beside a suspect works as long as that, but no longer than this. */
constexpr double LONGEST_CONTROL_MS = 20;
/** A kernel is accused by what was seen so often, each time with empty round trips that are quick. */
constexpr int ATTEMPTS = 4;

}  // namespace

double Sampling::batch_target_ms() const {
  const Pace pace = device_.pace();
  return pace.has_stream ? pace.batch_ms
                         : std::max(pace.batch_ms, TIMES_ROUND_TRIP * candidate_.round_trip().typical_ms);
}

double Sampling::time_batch(std::int64_t calls, bool blocked) {
  Run run = Run::once(0);
  run.repeat = calls;
  run.blocked = blocked;
  return std::max(prepared_.run(run).inside_ms, LEAST_MS);
}

/** Keeps the batch of the request before where it still fits, so that a series has one batch size. */
void Sampling::choose_batch(bool blocked) {
  const double target_ms = batch_target_ms();
  if (!device_.pace().has_stream) {
    const double batch_ms = time_batch(batch_, false);
    if (batch_ms >= target_ms && (batch_ == 1 || batch_ms <= 4 * target_ms)) return;
    batch_ = 1;
    while (time_batch(batch_, false) < target_ms) batch_ *= 2;
    return;
  }
  const auto ideal = static_cast<std::int64_t>(std::ceil(target_ms / time_batch(1, blocked)));
  const std::int64_t fitting = std::clamp<std::int64_t>(ideal, 1, most_calls_);
  if (batch_ > most_calls_ || 2 * batch_ < fitting || batch_ > 2 * fitting) batch_ = fitting;
}

void Sampling::ensure_captured(std::int64_t calls) {
  if (captured_ == calls) return;
  captured_ = 0;
  device_.wait();
  prepared_.capture(calls);
  captured_ = calls;
}

bool Sampling::replay_is_the_work() {
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

ClockBound Sampling::bound(double claimed_ms, bool cold, bool graph) {
  const auto held = [&](bool captured) {
    return bound_claims(device_, candidate_, prepared_, claimed_ms, cold, captured, captured_);
  };
  if (graph) return held(true);
  // On the host each interval was held against the judge's clock by itself.
  if (!device_.pace().has_stream) return {};
  ClockBound by_calls{0, false};
  if (!bound_by_replay_) {
    by_calls = held(false);
    if (by_calls.confirmed || launch_bound_) return by_calls;
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

SampleOutcome Sampling::take(const SampleRequest &request, TimedGuard &guard) {
  const auto started = Clock::now();
  const Pace pace = device_.pace();
  const bool cold = request.mode == Mode::cold, graph = request.mode == Mode::graph;
  if (graph && !pace.has_stream) throw RunnerError("unsupported", "a CPU has no graph replay");
  if (most_calls_ == 0) most_calls_ = pace.most_calls;
  bool blocked = request.blocked && pace.has_stream && !kernel_waits_ && !launch_bound_;
  SampleOutcome outcome;
  if (cold && !device_.caches_note().empty()) outcome.notes.push_back(device_.caches_note());

  // The first call of all pays for page faults, lazy binding and modules that load.
  if (!warmed_up_) prepared_.run_once(0);
  warmed_up_ = true;
  if (!cold) {
    choose_batch(blocked);
    outcome.batch = batch_;
  }
  if (graph) ensure_captured(batch_);
  guard.phases().lap("batch size");

  ThrottleLog throttle(device_);
  DeviceWatch watch;
  const auto start_over = [&] {
    outcome.samples_ms.clear();
    outcome.clock_mhz.clear();
    throttle.clear();
    watch.clear();
    guard.start_over();
  };
  Run run;
  const auto interval = [&](std::size_t set, bool rest) {
    run = Run::once(set);
    run.repeat = graph ? 1 : outcome.batch;
    run.blocked = blocked;
    run.captured = graph;
    run.watch = pace.has_stream && guard.active();
    run.rest = rest;
    prepared_.make_ready(set);
    if (cold) device_.empty_caches(prepared_.memory_of(set));
    return prepared_.run(run);
  };
  bool clocks_read = pace.has_stream;
  guard.prepare(request.count);
  guard.phases().lap("contents");
  int timeouts = 0;
  std::int64_t unconfirmed = 0;
  /** Of these, those of this attempt. */
  UnseenTime unseen;
  bool gave_up = false;
  auto attempt_began = started;
  std::size_t least_unseen = MOST_UNCONFIRMED;
  std::size_t most_unseen = MOST_UNCONFIRMED + TIMES_UNCONFIRMED * static_cast<std::size_t>(request.count);
  const double most_unconfirmed_ms = std::min(request.budget_ms, MOST_UNCONFIRMED_MS);
  const auto is_confirmed = [&](const RunOutcome &timing) {
    return timing.outside_ms - timing.inside_ms <= largest_excess_ms(candidate_.round_trip(), timing.inside_ms) +
                                                       prepared_.finishing_ms();
  };
  /** A call by whichever clock says more: who remembers may lie about what it does not remember. */
  const auto seen_ms = [&](const RunOutcome &timing) {
    const double outside_ms =
        pace.has_stream ? 0 : timing.outside_ms - candidate_.round_trip().typical_ms - prepared_.finishing_ms();
    return std::max({timing.inside_ms, outside_ms, LEAST_MS}) / static_cast<double>(outcome.batch);
  };
  const auto take_all = [&] {
    while (static_cast<std::int64_t>(outcome.samples_ms.size()) < request.count) {
      if (!outcome.samples_ms.empty() && milliseconds_since(started) >= request.budget_ms) break;
      throttle.poll_if_due();
      const std::size_t set = cold ? prepared_.next_set() : 0;
      // A thread that watches its inputs could begin before the interval does.
      if (cold && !pace.has_stream) {
        prepared_.put_out_of_caches(set);
        candidate_.freeze();
      }
      guard.before(set);
      guard.phases().lap("contents");
      const RunOutcome timing = interval(set, false);
      guard.phases().lap("intervals");
      outcome.timed_ms += timing.inside_ms;
      if (guard.active() && !pace.has_stream && !is_confirmed(timing)) {
        // On a busy machine the judge is told late at times; one that lies about its clock is late every time.
        guard.saw(seen_ms(timing));
        const double seen = seen_ms(timing) * static_cast<double>(outcome.batch);
        unseen.add(std::max(timing.inside_ms, LEAST_MS), seen);
        ++unconfirmed;
        const bool is_late = unseen.count() > least_unseen && milliseconds_since(attempt_began) > most_unconfirmed_ms;
        gave_up = is_late || unseen.count() > most_unseen;
        if (gave_up) break;
        continue;
      }
      if (timing.timed_out) {
        if (outcome.batch > 1) {
          // A kernel of several launches a call can fill the launch queue, and the host then waits for the hold.
          most_calls_ = batch_ = outcome.batch = std::max<std::int64_t>(1, outcome.batch / 4);
          if (graph) ensure_captured(batch_);
          start_over();
        } else if (++timeouts >= 2) {
          // Once may be a host that was busy elsewhere; twice is the kernel.
          kernel_waits_ = true;
          blocked = false;
          start_over();
        }
        continue;
      }
      const double sample_ms = std::max(timing.inside_ms, LEAST_MS) / static_cast<double>(outcome.batch);
      guard.saw(seen_ms(timing));
      guard.after(set, outcome.batch, blocked);
      if (run.watch) watch.add(timing);
      throttle.sample_taken();
      outcome.samples_ms.push_back(sample_ms);
      outcome.clock_mhz.push_back(timing.clock_mhz);
      clocks_read = clocks_read && timing.clock_mhz > 0;
      guard.phases().lap("results");
    }
  };
  take_all();
  const auto is_unconfirmed = [&] { return gave_up && outcome.samples_ms.size() < FEWEST_CONFIRMED; };
  const auto again = [&] {
    unseen.clear();
    gave_up = false;
    attempt_began = Clock::now();
    least_unseen = LEAST_AGAIN;
    most_unseen = MOST_UNCONFIRMED;
    take_all();
  };
  const char *const too_busy = "this machine is too busy for the judge's clock to confirm a time; measure when it is idle";
  // Each attempt has to show it by intervals of its own: the machine may have been busy during the earlier ones only.
  for (int attempt = 1; is_unconfirmed(); ++attempt) {
    // The kernel cannot help it where CPUs slept while the call was prepared, or while it ran.
    const double waking_ms =
        std::max(0.0, candidate_.rested_round_trip_ms() - candidate_.round_trip().typical_ms);
    // Less than that may still be the machine's doing. So may all of it, where honest work is confirmed late as well.
    const auto is_machine_late = [&](double lasting_ms) {
      const double limit_ms = largest_excess_ms(candidate_.round_trip(), lasting_ms) + (lasting_ms > 0 ? waking_ms : 0);
      return candidate_.quick_share(limit_ms, lasting_ms) < LEAST_QUICK;
    };
    if (!unseen.is_gross(waking_ms) || is_machine_late(0) ||
        is_machine_late(std::min(unseen.typical_seen_ms(), LONGEST_CONTROL_MS)))
      throw RunnerError("busy", too_busy);
    if (attempt == ATTEMPTS) {
      outcome.samples_ms.clear();
      outcome.clock_mhz.clear();
      guard.found("clock-mismatch",
                  "every interval takes longer by the judge's own clock than the clock in the kernel's process says");
      return outcome;
    }
    again();
  }
  ClockBound seen;
  if (guard.active()) seen = bound(median(outcome.samples_ms), cold, graph);
  const auto retake = [&] {
    start_over();
    again();
    if (is_unconfirmed()) throw RunnerError("busy", too_busy);
    seen = bound(median(outcome.samples_ms), cold, graph);
  };
  if (!seen.confirmed && blocked && !graph) {
    // Calls that cannot be captured: launches and work together are what the judge can see.
    launch_bound_ = true;
    blocked = false;
    retake();
  }
  // A neighbour that came between the samples and the judge's batches is not there every time. Later it is too late for
  // as many samples as before: another process has to look then.
  const auto has_time = [&] { return milliseconds_since(started) < request.budget_ms / 2; };
  for (int attempt = 1; !seen.confirmed && attempt < ATTEMPTS && has_time(); ++attempt) retake();
  guard.phases().lap("judge's clock");
  outcome.outside_ms = seen.outside_ms;
  if (!seen.confirmed) {
    char text[192];
    std::snprintf(text, sizeof text,
                  "a call takes %.6f ms by the clock in the kernel's process and %.6f ms by the judge's own",
                  median(outcome.samples_ms), seen.outside_ms);
    guard.found("clock-mismatch", text);
  }
  if (unconfirmed > static_cast<std::int64_t>(outcome.samples_ms.size()))
    outcome.notes.push_back("the judge's clock did not confirm most intervals; those that it did not are left out");

  if (pace.has_stream) outcome.timing = blocked ? "blocked" : "plain";
  if (kernel_waits_ && request.blocked)
    outcome.notes.push_back(
        "the kernel waits for the device inside a call, so the stream could not be held: launch latency is inside the "
        "samples");
  else if (launch_bound_ && request.blocked)
    outcome.notes.push_back(
        "launching takes longer than the work, so the judge's clock cannot confirm the work alone: launch latency is "
        "inside the samples");
  if (!clocks_read) {
    outcome.clock_mhz.clear();
    if (pace.has_stream) outcome.notes.push_back("the SM clock could not be read in band for every sample");
  }
  outcome.throttle_masks = throttle.finish();
  if (watch.suspects())
    for (int i = 0; i < RESTED; ++i) watch.add_rested(interval(cold ? prepared_.next_set() : 0, true));
  watch.report(guard);
  return outcome;
}

}  // namespace pawl
