#include "sampling.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "clock_bound.hpp"
#include "device_watch.hpp"
#include "error.hpp"
#include "milliseconds_since.hpp"
#include "quantile.hpp"
#include "thread_work.hpp"
#include "throttle_log.hpp"
#include "unseen_time.hpp"

namespace pawl {
namespace {

using Clock = std::chrono::steady_clock;

/** Calls that find out what looking for work elsewhere costs. */
constexpr int RESTED = 5;

/** So many intervals may be unconfirmed, and so many times as many as are wanted: a busy machine confirms a few. */
constexpr std::size_t MOST_UNCONFIRMED = 50, TIMES_UNCONFIRMED = 30;
/** Unless they take longer than this, or the request's budget. Of later attempts, so many are seen even then. */
constexpr double MOST_UNCONFIRMED_MS = 5000;
constexpr std::size_t LEAST_AGAIN = 15;
/** Fewer confirmed ones are not a series. The machine is the cause where empty round trips are rarely quick. */
constexpr std::size_t FEWEST_CONFIRMED = 3;
constexpr double LEAST_QUICK = 0.4;
/** Beside a suspect, an honest candidate works as long as that, after the judge did, but neither longer than this. */
constexpr double LONGEST_CONTROL_MS = 20;
/** A kernel is accused by what was seen so often, each time with empty round trips that are quick. */
constexpr int ATTEMPTS = 4;

RunnerError too_busy() {
  return {"busy", "this machine is too busy for the judge's clock to confirm a time; measure when it is idle"};
}

/** The samples of one request. */
class Series {
 public:
  Series(TimedKernel &kernel, const SampleRequest &request, TimedGuard &guard);
  SampleOutcome take();

 private:
  TimedKernel &kernel_;
  Candidate &candidate_;
  PreparedCase &prepared_;
  const SampleRequest &request_;
  TimedGuard &guard_;
  const Clock::time_point started_ = Clock::now();
  const bool cold_, graph_, has_stream_;
  bool blocked_;
  SampleOutcome outcome_;
  ThrottleLog throttle_;
  DeviceWatch watch_;
  bool clocks_read_;
  int timeouts_ = 0;
  /** In all attempts. */
  std::int64_t unconfirmed_ = 0;

  /** One attempt to get intervals that the judge's clock confirms. */
  struct Attempt {
    Clock::time_point began;
    /** It is given up after more unconfirmed intervals than the first where they took long, and than the second. */
    std::size_t least_unseen, most_unseen;
    UnseenTime unseen;
    /** How long the judge worked before each interval: others that share its CPU may have their turn first afterwards. */
    std::vector<double> worked_ms{};
    bool gave_up = false;
  } attempt_;

  RunOutcome interval(std::size_t set, bool rest);
  bool is_watched() const { return has_stream_ && guard_.active(); }
  bool has_time() const { return milliseconds_since(started_) < request_.budget_ms; }
  double call_ms(const RunOutcome &timing) const;
  double seen_ms(const RunOutcome &timing) const;
  bool is_confirmed(const RunOutcome &timing) const;

  void start_over();
  void collect();
  void not_confirmed(const RunOutcome &timing);
  void timed_out();
  void keep(const RunOutcome &timing, std::size_t set);

  void try_again();
  bool is_unconfirmed() const { return attempt_.gave_up && outcome_.samples_ms.size() < FEWEST_CONFIRMED; }
  bool is_machine_late(double lasting_ms, double waking_ms);
  bool get_confirmed();
  ClockBound retake();
  void hold_against_clock();
  void describe_timing();
};

Series::Series(TimedKernel &kernel, const SampleRequest &request, TimedGuard &guard)
    : kernel_(kernel),
      candidate_(kernel.candidate()),
      prepared_(kernel.prepared()),
      request_(request),
      guard_(guard),
      cold_(request.mode == Mode::cold),
      graph_(request.mode == Mode::graph),
      has_stream_(kernel.has_stream()),
      blocked_(request.blocked && has_stream_ && !kernel.waits && !kernel.launch_bound),
      throttle_(kernel.device()),
      clocks_read_(has_stream_),
      attempt_{started_, MOST_UNCONFIRMED,
               MOST_UNCONFIRMED + TIMES_UNCONFIRMED * static_cast<std::size_t>(request.count), {}} {}

RunOutcome Series::interval(std::size_t set, bool rest) {
  Run run = Run::once(set);
  run.repeat = graph_ ? 1 : outcome_.batch;
  run.blocked = blocked_;
  run.captured = graph_;
  run.watch = is_watched();
  run.rest = rest;
  prepared_.make_ready(set);
  if (cold_) kernel_.device().empty_caches(prepared_.memory_of(set));
  return prepared_.run(run);
}

bool Series::is_confirmed(const RunOutcome &timing) const {
  return timing.outside_ms - timing.inside_ms <=
         largest_excess_ms(candidate_.round_trip(), timing.inside_ms) + prepared_.finishing_ms();
}

double Series::call_ms(const RunOutcome &timing) const {
  return std::max(timing.inside_ms, LEAST_REPORTED_MS) / static_cast<double>(outcome_.batch);
}

/** A call by whichever clock says more: who remembers may lie about what it does not remember. */
double Series::seen_ms(const RunOutcome &timing) const {
  const double outside_ms =
      has_stream_ ? 0 : timing.outside_ms - candidate_.round_trip().typical_ms - prepared_.finishing_ms();
  return std::max({timing.inside_ms, outside_ms, LEAST_REPORTED_MS}) / static_cast<double>(outcome_.batch);
}

void Series::start_over() {
  outcome_.samples_ms.clear();
  outcome_.clock_mhz.clear();
  throttle_.clear();
  watch_.clear();
  guard_.start_over();
}

/** On a busy machine the judge is told late at times; one that lies about its clock is late every time. */
void Series::not_confirmed(const RunOutcome &timing) {
  const double seen = seen_ms(timing);
  guard_.saw(seen);
  UnseenTime &unseen = attempt_.unseen;
  unseen.add(std::max(timing.inside_ms, LEAST_REPORTED_MS), seen * static_cast<double>(outcome_.batch));
  ++unconfirmed_;
  const double most_ms = std::min(request_.budget_ms, MOST_UNCONFIRMED_MS);
  const bool is_late = unseen.count() > attempt_.least_unseen && milliseconds_since(attempt_.began) > most_ms;
  attempt_.gave_up = is_late || unseen.count() > attempt_.most_unseen;
}

void Series::timed_out() {
  if (outcome_.batch > 1) {
    outcome_.batch = kernel_.shrink_batch(outcome_.batch);
    if (graph_) kernel_.ensure_captured(outcome_.batch);
    start_over();
  } else if (++timeouts_ >= 2) {
    // Once may be a host that was busy elsewhere; twice is the kernel.
    kernel_.waits = true;
    blocked_ = false;
    start_over();
  }
}

void Series::keep(const RunOutcome &timing, std::size_t set) {
  guard_.saw(seen_ms(timing));
  guard_.after(set, outcome_.batch, blocked_);
  if (is_watched()) watch_.add(timing);
  throttle_.sample_taken();
  outcome_.samples_ms.push_back(call_ms(timing));
  outcome_.clock_mhz.push_back(timing.clock_mhz);
  clocks_read_ = clocks_read_ && timing.clock_mhz > 0;
  guard_.phases().lap("results");
}

/** Until there are enough samples, the budget is used, or too many intervals were not confirmed. */
void Series::collect() {
  while (static_cast<std::int64_t>(outcome_.samples_ms.size()) < request_.count) {
    if (!outcome_.samples_ms.empty() && !has_time()) break;
    const double worked_ms = thread_work_ms();
    throttle_.poll_if_due();
    const std::size_t set = cold_ ? prepared_.next_set() : 0;
    // A thread that watches its inputs could begin before the interval does.
    if (cold_ && !has_stream_) {
      prepared_.put_out_of_caches(set);
      candidate_.freeze();
    }
    guard_.before(set);
    guard_.phases().lap("contents");
    const RunOutcome timing = interval(set, false);
    guard_.phases().lap("intervals");
    // The judge sleeps while the interval lasts.
    attempt_.worked_ms.push_back(thread_work_ms() - worked_ms);
    outcome_.timed_ms += timing.inside_ms;
    if (guard_.active() && !has_stream_ && !is_confirmed(timing)) {
      not_confirmed(timing);
      if (attempt_.gave_up) break;
    } else if (timing.timed_out) {
      timed_out();
    } else {
      keep(timing, set);
    }
  }
}

/** Goes on collecting. Each attempt has to show by intervals of its own that a clock lies. */
void Series::try_again() {
  attempt_ = {Clock::now(), LEAST_AGAIN, MOST_UNCONFIRMED, {}};
  collect();
}

/** Less than that may still be the machine's doing. So may all of it, where honest work is confirmed late as well. */
bool Series::is_machine_late(double lasting_ms, double waking_ms) {
  const double limit_ms = largest_excess_ms(candidate_.round_trip(), lasting_ms) + (lasting_ms > 0 ? waking_ms : 0);
  const double before_ms = std::min(median(attempt_.worked_ms), LONGEST_CONTROL_MS);
  return candidate_.quick_share(limit_ms, lasting_ms, before_ms) < LEAST_QUICK;
}

/** False: the kernel is accused, since its intervals take longer whenever the machine is known to be calm. */
bool Series::get_confirmed() {
  for (int attempt = 1; is_unconfirmed(); ++attempt) {
    const UnseenTime &unseen = attempt_.unseen;
    // The kernel cannot help it where CPUs slept while the call was prepared, or while it ran.
    const double waking_ms = std::max(0.0, candidate_.rested_round_trip_ms() - candidate_.round_trip().typical_ms);
    if (!unseen.is_gross(waking_ms) || is_machine_late(0, waking_ms) ||
        is_machine_late(std::min(unseen.typical_seen_ms(), LONGEST_CONTROL_MS), waking_ms))
      throw too_busy();
    if (attempt == ATTEMPTS) {
      outcome_.samples_ms.clear();
      outcome_.clock_mhz.clear();
      guard_.found("clock-mismatch",
                   "every interval takes longer by the judge's own clock than the clock in the kernel's process says");
      return false;
    }
    // The machine may have been busy during the earlier attempts only.
    try_again();
  }
  return true;
}

ClockBound Series::retake() {
  start_over();
  try_again();
  if (is_unconfirmed()) throw too_busy();
  return kernel_.bound(median(outcome_.samples_ms), cold_, graph_);
}

/** Holds the samples together against batches that the judge times itself. */
void Series::hold_against_clock() {
  ClockBound seen;
  if (guard_.active()) seen = kernel_.bound(median(outcome_.samples_ms), cold_, graph_);
  if (!seen.confirmed && blocked_ && !graph_) {
    // Calls that cannot be captured: launches and work together are what the judge can see.
    kernel_.launch_bound = true;
    blocked_ = false;
    seen = retake();
  }
  // A neighbour that came between the samples and the judge's batches is not there every time. Later it is too late for
  // as many samples as before: another process has to look then.
  const auto is_early = [&] { return milliseconds_since(started_) < request_.budget_ms / 2; };
  for (int attempt = 1; !seen.confirmed && attempt < ATTEMPTS && is_early(); ++attempt) seen = retake();
  guard_.phases().lap("judge's clock");
  outcome_.outside_ms = seen.outside_ms;
  if (seen.confirmed) return;
  char text[192];
  std::snprintf(text, sizeof text,
                "a call takes %.6f ms by the clock in the kernel's process and %.6f ms by the judge's own",
                median(outcome_.samples_ms), seen.outside_ms);
  guard_.found("clock-mismatch", text);
}

void Series::describe_timing() {
  if (unconfirmed_ > static_cast<std::int64_t>(outcome_.samples_ms.size()))
    outcome_.notes.push_back("the judge's clock did not confirm most intervals; those that it did not are left out");
  if (has_stream_) outcome_.timing = blocked_ ? "blocked" : "plain";
  if (kernel_.waits && request_.blocked)
    outcome_.notes.push_back(
        "the kernel waits for the device inside a call, so the stream could not be held: launch latency is inside the "
        "samples");
  else if (kernel_.launch_bound && request_.blocked)
    outcome_.notes.push_back(
        "launching takes longer than the work, so the judge's clock cannot confirm the work alone: launch latency is "
        "inside the samples");
  if (!clocks_read_) {
    outcome_.clock_mhz.clear();
    if (has_stream_) outcome_.notes.push_back("the SM clock could not be read in band for every sample");
  }
}

SampleOutcome Series::take() {
  if (graph_ && !has_stream_) throw RunnerError("unsupported", "a CPU has no graph replay");
  const std::string caches_note = kernel_.device().caches_note();
  if (cold_ && !caches_note.empty()) outcome_.notes.push_back(caches_note);
  kernel_.warm_up();
  if (!cold_) outcome_.batch = kernel_.choose_batch(blocked_);
  if (graph_) kernel_.ensure_captured(outcome_.batch);
  guard_.phases().lap("batch size");
  guard_.prepare(request_.count);
  guard_.phases().lap("contents");

  collect();
  if (!get_confirmed()) return std::move(outcome_);
  hold_against_clock();
  describe_timing();
  outcome_.throttle_masks = throttle_.finish();
  if (watch_.suspects())
    for (int i = 0; i < RESTED; ++i) watch_.add_rested(interval(cold_ ? prepared_.next_set() : 0, true));
  watch_.report(guard_);
  return std::move(outcome_);
}

}  // namespace

SampleOutcome take_samples(TimedKernel &kernel, const SampleRequest &request, TimedGuard &guard) {
  return Series(kernel, request, guard).take();
}

}  // namespace pawl
