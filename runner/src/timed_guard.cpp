#include "timed_guard.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>
#include <thread>
#include <utility>

#include "batch_guard.hpp"
#include "fill.hpp"
#include "least_gain.hpp"
#include "milliseconds_since.hpp"
#include "quantile.hpp"
#include "random_bits.hpp"

namespace pawl {
namespace {

using Clock = std::chrono::steady_clock;

/** A writer that a call left behind has this long to be seen, at least. */
constexpr std::chrono::milliseconds LATE_WRITE_WINDOW(2);
/** Copying outputs may take this share of the request's budget after the first copy. */
constexpr double MOST_COPYING = 0.1;
/**
 * Comparing results may take this share: 0.3 s of the usual 15. A random and the fastest repetition are compared even so.
 * A device is held meanwhile, and an oracle of 0.2 s on nine results was two thirds of what a series took.
 */
constexpr double MOST_COMPARING = 0.02;
/** The judge holds no more results that wait for the oracle. */
constexpr std::size_t MOST_KEPT = 8, MOST_KEPT_BYTES = std::size_t(256) << 20;
/** Reservoir sampling keeps the logarithm of the repetitions, which is below this for any number of them. */
constexpr int MOST_COPIES = 24;

/** In one of so many repetitions in a row, drawn at random, all contents are new: a dozen tell known from new ones. */
constexpr std::uint64_t ALL_NEW_OF = 4;
/** No more are made at once: a request may ask for more repetitions than its budget lets it take. */
constexpr std::size_t MOST_STOCKED = 32;
/** Fewer of either kind say nothing. */
constexpr std::size_t FEWEST_EACH = 3;
/** Longer than thread pools spin before they sleep. */
constexpr std::chrono::milliseconds SPINNING(5);
/**
 * Pairs of calls, and how many must show that known contents are quicker before anybody is accused: by chance, where
 * nothing is remembered, so many do once in 7,000 times (sign test), and then their median must show it too.
 */
constexpr std::size_t PAIRS = 24, PAIRS_SHOWN = 21;

/** What share of the time on new contents a call takes on known ones, pair by pair. */
class Shares {
 public:
  void add(double known_ms, double fresh_ms) {
    constexpr double LEAST_MS = 1e-3;
    shares_.push_back(std::max(known_ms, LEAST_MS) / std::max(fresh_ms, LEAST_MS));
    least_fresh_ms_ = shares_.size() == 1 ? fresh_ms : std::min(least_fresh_ms_, fresh_ms);
    if (shares_.back() >= 1) ++slower_;
  }
  /** A busy machine slows either call of a pair. */
  bool may_show() const { return slower_ <= PAIRS - PAIRS_SHOWN; }
  bool show() const { return shares_.size() == PAIRS && may_show() && middle() < 1 - least_gain(least_fresh_ms_); }
  double middle() const { return median(shares_); }

 private:
  std::vector<double> shares_;
  double least_fresh_ms_ = 0;
  std::size_t slower_ = 0;
};

bool has_inouts(const Problem &problem) {
  for (const TensorSpec &tensor : problem.tensors)
    if (tensor.role == Role::inout) return true;
  return false;
}

}  // namespace

TimedGuard::TimedGuard(Device &device, PreparedCase &prepared) : device_(device), prepared_(prepared) {}

TimedGuard::TimedGuard(Device &device, PreparedCase &prepared, std::uint64_t &counter, KeptResults *kept,
                       Verifier *verifier, double budget_ms)
    : device_(device),
      prepared_(prepared),
      counter_(&counter),
      kept_new_(kept),
      verifier_(verifier),
      budget_ms_(budget_ms),
      has_inouts_(has_inouts(prepared.problem())) {}

void TimedGuard::prepare(std::int64_t repetitions) {
  if (active()) prepared_.stock_up(std::min<std::size_t>(static_cast<std::size_t>(repetitions) / ALL_NEW_OF + 2, MOST_STOCKED));
}

void TimedGuard::before(std::size_t set) {
  if (!active()) return;
  // 0 stands for the contents of `prepare`.
  do key_ = mix(mix(prepared_.seed()) ^ mix(++*counter_));
  while (key_ == 0);
  if (in_block_ == 0) new_at_ = random_bits() % ALL_NEW_OF;
  all_new_ = in_block_ == new_at_ && prepared_.renew(set);
  in_block_ = (in_block_ + 1) % ALL_NEW_OF;
  if (!all_new_) prepared_.freshen(set, key_);
  prepared_.poison_outputs(set);
}

void TimedGuard::saw(double call_ms) {
  call_ms_ = call_ms;
  if (active()) (all_new_ ? new_ms_ : known_ms_).push_back(call_ms);
}

void TimedGuard::after(std::size_t set, std::int64_t calls, bool blocked) {
  if (!active()) return;
  if (const TensorSpec *tensor = prepared_.glance(set))
    report(tampering_, {"unwritten-output", tensor->name,
                        "elements of '" + tensor->name + "' were not written when a timed call had returned"});
  last_set_ = set;
  calls_ = calls;
  blocked_ = blocked;
  if (verifier_ != nullptr && has_inouts_ && calls > 1) {
    note("no timed result was verified: a tensor that is input and output changes with every call of a batch");
    verifier_ = nullptr;
    kept_.reset();
  }
  const bool can_verify = kept_new_ != nullptr && !(has_inouts_ && calls > 1);
  if (can_verify && all_new_) keep_new(set);
  if (can_verify) keep_fastest(set);
  // Reservoir sampling: however many repetitions there will be, each is the one that is kept with the same chance.
  if (verifier_ != nullptr && random_bits() % static_cast<std::uint64_t>(repetitions_ + 1) == 0) keep(set);
  ++repetitions_;
}

void TimedGuard::keep(std::size_t set) {
  if (kept_ && (copies_ >= MOST_COPIES || copying_ms_ > MOST_COPYING * budget_ms_)) return;
  kept_ = copy(set);
  ++copies_;
}

void TimedGuard::keep_new(std::size_t set) {
  std::vector<KeptRepetition> &results = kept_new_->results;
  const std::size_t fitting = std::min(MOST_KEPT, MOST_KEPT_BYTES / std::max<std::size_t>(prepared_.problem().bytes, 1));
  const std::uint64_t seen = static_cast<std::uint64_t>(++kept_new_->seen);
  const std::size_t at = results.size() < fitting ? results.size() : random_bits() % seen;
  if (at >= fitting || copying_ms_ > MOST_COPYING * budget_ms_) return;
  if (at == results.size())
    results.push_back(copy(set));
  else
    results[at] = copy(set);
}

void TimedGuard::keep_fastest(std::size_t set) {
  std::optional<KeptRepetition> &fastest = kept_new_->fastest;
  if (prepared_.problem().bytes > MOST_KEPT_BYTES) return;
  if (fastest && (call_ms_ >= kept_new_->fastest_ms || copying_ms_ > MOST_COPYING * budget_ms_)) return;
  fastest = copy(set);
  kept_new_->fastest_ms = call_ms_;
}

KeptRepetition TimedGuard::copy(std::size_t set) {
  const auto started = Clock::now();
  KeptRepetition kept{repetitions_, set, prepared_.origin_of(set), all_new_ ? 0 : key_,
                      take_outputs(prepared_, set)};
  copying_ms_ += milliseconds_since(started);
  return kept;
}

void TimedGuard::start_over() {
  repetitions_ = 0;
  kept_.reset();
  copies_ = 0;
  new_ms_.clear();
  known_ms_.clear();
}

void TimedGuard::found(const char *detector, std::string message) {
  if (active()) report(tampering_, {detector, "", std::move(message)});
}

void TimedGuard::note(std::string text) { notes_.push_back(std::move(text)); }

std::vector<Region> TimedGuard::outputs_of(std::size_t set) const {
  std::vector<Region> regions;
  const std::vector<TensorSpec> &tensors = prepared_.problem().tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].is_pure_output()) regions.push_back({prepared_.data(set, i), tensors[i].bytes, i});
  return regions;
}

void TimedGuard::finish() {
  if (!active() || !last_set_) return;
  const std::vector<Region> outputs = outputs_of(*last_set_);
  const std::uint64_t hash = device_.hash(outputs);
  const auto hashed = Clock::now();

  report_all(tampering_, prepared_.inspect(true));
  phases_.lap("inspect");
  std::this_thread::sleep_until(hashed + LATE_WRITE_WINDOW);
  if (device_.hash(outputs) != hash)
    found("late-write", "outputs changed after the last timed call had returned and was waited for");
  phases_.lap("late writes");
  if (!trusted_) search_memory();
  phases_.lap("remembering");
  if (when_timed_) when_timed_();
  if (kept_) verify();
  phases_.lap("verify");
}

void TimedGuard::search_memory() {
  if (remembers()) confirm_remembering(*last_set_);
  if (calls_ > 1 && tampering_.empty())
    if (auto remembered = BatchGuard(device_, prepared_, calls_, blocked_).finding()) found("remembers", *remembered);
}

bool TimedGuard::remembers() const {
  if (new_ms_.size() < FEWEST_EACH || known_ms_.size() < FEWEST_EACH) return false;
  const double fresh = median(new_ms_), known = median(known_ms_);
  return known < (1 - least_gain(fresh)) * fresh;
}

void TimedGuard::confirm_remembering(std::size_t set) {
  // By the clock inside, which is exact, and by the judge's: who remembers may lie about what it does not remember.
  Shares inside, outside;
  prepared_.stock_up(PAIRS);
  // Threads may meet a free CPU in every other call, and that must not be the same kind of call each time.
  const auto lose_step = [&] {
    if (random_bits() % 2 == 0) run_again(set);
  };
  for (std::size_t pair = 0; pair < PAIRS && (inside.may_show() || outside.may_show()); ++pair) {
    lose_step();
    if (!prepared_.renew(set)) prepared_.fill_set(set, random_bits());
    const RunOutcome fresh = run_again(set);
    lose_step();
    // Put there in the same way as the new ones were: caches and sleeping threads are not the kernel's memory.
    prepared_.freshen(set, random_bits() | 1);
    const RunOutcome known = run_again(set);
    inside.add(known.inside_ms, fresh.inside_ms);
    const double round_trip_ms = prepared_.candidate().round_trip().typical_ms + prepared_.finishing_ms();
    outside.add(known.outside_ms - round_trip_ms, fresh.outside_ms - round_trip_ms);
  }
  prepared_.fill_set(set, prepared_.seed());
  if (!inside.show() && !outside.show()) return;
  char text[160];
  std::snprintf(text, sizeof text, "on contents that it has seen a call takes %.0f %% of what it takes on new ones",
                100 * (inside.show() ? inside : outside).middle());
  found("remembers", text);
}

RunOutcome TimedGuard::run_again(std::size_t set) {
  prepared_.poison_outputs(set);
  prepared_.make_ready(set);
  prepared_.put_out_of_caches(set);
  device_.empty_caches(prepared_.memory_of(set));
  // Threads that wait for work by spinning are asleep by then, whatever the preparation took.
  std::this_thread::sleep_for(SPINNING);
  return prepared_.run(Run::once(set));
}

void TimedGuard::verify() {
  const auto started = Clock::now();
  const Judgement judgement = compare(*kept_);
  verified_ = Json::object().set("repetition", kept_->repetition).set("tensors", judgement.tensors);
  if (!judgement.sampled.items().empty()) verified_->set("sampled", judgement.sampled);
  if (judgement.checked) verified_->set("checked", *judgement.checked);
  std::set<std::size_t> sets{kept_->set};
  std::int64_t compared = 0;
  const auto fastest = kept_new_ == nullptr ? std::nullopt : std::exchange(kept_new_->fastest, std::nullopt);
  if (fastest) {
    compare(*fastest);
    sets.insert(fastest->set);
    ++compared;
  }
  // As many of the others as fit, in an unpredictable order.
  std::vector<KeptRepetition> others;
  if (kept_new_ != nullptr) std::swap(others, kept_new_->results);
  for (std::size_t left = others.size(); left > 1; --left) std::swap(others[left - 1], others[random_bits() % left]);
  for (const KeptRepetition &kept : others) {
    if (milliseconds_since(started) + verifier_->oracle_ms() > MOST_COMPARING * budget_ms_) break;
    compare(kept);
    sets.insert(kept.set);
    ++compared;
  }
  for (const std::size_t set : sets) prepared_.fill_set(set, prepared_.seed());
  verified_->set("others", compared);
}

Judgement TimedGuard::compare(const KeptRepetition &kept) {
  prepared_.recreate(kept.set, kept.origin, kept.key);
  verifier_->take_inputs(kept.set);
  Judgement judgement = verifier_->judge(kept.outputs);
  const std::string which = "timed repetition " + std::to_string(kept.repetition) + ": ";
  for (const Tamper &tamper : judgement.tampering)
    report(tampering_, {"timed-result-wrong", tamper.tensor, which + tamper.message});
  return judgement;
}

}  // namespace pawl
