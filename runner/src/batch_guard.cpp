#include "batch_guard.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "least_gain.hpp"
#include "random_bits.hpp"

namespace pawl {
namespace {

/** The least of so many intervals counts, since whatever else the machine does only adds. */
constexpr int TRIES = 3;
/**
 * Rounds that must show it before anybody is accused, and that may fail to once one has. Honest kernels need one round.
 * Many, since a CPU that shares its core with another runs at half speed from time to time, and four rounds showed that.
 */
constexpr int ROUNDS_SHOWN = 10, ROUNDS_MISSED = 2;
/** What a call must last to be compared. */
constexpr double LEAST_CALL_MS = 2e-4;
/** Sets of which each has new contents, in one interval, and what a device's cache holds of them for sure. */
constexpr std::size_t FEWEST_NEW = 2, MOST_NEW = 16, CACHED_ON_DEVICE = std::size_t(16) << 20;
/** Contents that lie in another cache, or that branch predictors learn by heart, save less than doing nothing does. */
constexpr double MOST_SAVED_BY_CACHE = 0.8, MOST_SAVED_ON_HOST = 0.85;
/** Sets whose outputs are compared with and without results in them. */
constexpr std::size_t MOST_SETS = 4;

std::string said(const char *format, double less_ms, double more_ms) {
  char text[192];
  std::snprintf(text, sizeof text, format, less_ms * 1e3, more_ms * 1e3);
  return text;
}

}  // namespace

BatchGuard::BatchGuard(Device &device, PreparedCase &prepared, std::int64_t calls, bool blocked)
    : device_(device), prepared_(prepared), calls_(calls), blocked_(blocked) {}

std::optional<std::string> BatchGuard::finding() {
  for (const auto compare : {&BatchGuard::compare_new, &BatchGuard::compare_outputs})
    if (auto found = (this->*compare)()) return found;
  return std::nullopt;
}

double BatchGuard::least_ms(Run run, bool all_new) {
  run.blocked = blocked_;
  double least = 0;
  for (int i = 0; i < TRIES; ++i) {
    if (all_new) prepared_.stock_up(run.sets.size());
    for (const std::size_t set : run.sets) {
      if (!all_new || !prepared_.renew(set)) prepared_.freshen(set, random_bits() | 1);
      prepared_.poison_outputs(set);
    }
    const double took = prepared_.run(run).inside_ms;
    least = i == 0 ? took : std::min(least, took);
  }
  return least;
}

double BatchGuard::batch_ms(std::int64_t calls) {
  Run run = Run::once(0);
  run.repeat = calls;
  return least_ms(std::move(run), false);
}

double BatchGuard::new_ms(std::size_t count) {
  Run run;
  run.warm = true;
  for (std::size_t set = 0; set < count; ++set) run.sets.push_back(set);
  return least_ms(std::move(run), true);
}

bool BatchGuard::shows_often(const std::function<bool()> &shows) {
  for (int shown = 0, missed = 0; shown < ROUNDS_SHOWN;) {
    if (shows())
      ++shown;
    else if (shown == 0 || ++missed > ROUNDS_MISSED)
      return false;
  }
  return true;
}

std::optional<std::string> BatchGuard::compare_new() {
  const bool on_host = !device_.pace().has_stream;
  // Few sets that stay in a cache tell more than many that do not.
  const std::size_t fitting = CACHED_ON_DEVICE / std::max<std::size_t>(prepared_.problem().bytes, 1);
  const bool cached = !on_host && fitting >= FEWEST_NEW;
  const std::size_t count = std::min(prepared_.set_count(), cached ? std::min(fitting, MOST_NEW) : MOST_NEW) / 2;
  if (count == 0) return std::nullopt;
  double known_ms = 0, fresh_ms = 0;
  const bool shown = shows_often([&] {
    known_ms = batch_ms(calls_) / static_cast<double>(calls_);
    // Taking as many others away takes with them what an interval's first calls cost.
    fresh_ms = (new_ms(2 * count) - new_ms(count)) / static_cast<double>(count);
    const double saved = on_host ? MOST_SAVED_ON_HOST : cached ? least_gain(fresh_ms) : MOST_SAVED_BY_CACHE;
    return fresh_ms >= LEAST_CALL_MS && known_ms < (1 - saved) * fresh_ms;
  });
  if (!shown) return std::nullopt;
  return said("a call takes %.2f us right after others on the same contents, and %.2f us on new ones", known_ms,
              fresh_ms);
}

std::optional<std::string> BatchGuard::compare_outputs() {
  // Where the kernel returns outputs, it never sees those that the judge has.
  if (prepared_.candidate().returns_outputs()) return std::nullopt;
  /** What an output holds when its call is done, and where that is kept. */
  struct Result {
    void *output;
    std::size_t bytes;
    DeviceMemory kept;
  };
  Run run;
  run.blocked = blocked_;
  std::vector<Result> results;
  const std::vector<TensorSpec> &tensors = prepared_.problem().tensors;
  for (std::size_t set = 0; set < std::min(prepared_.set_count(), MOST_SETS); ++set) {
    run.sets.push_back(set);
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (tensors[i].is_pure_output())
        results.push_back({prepared_.data(set, i), tensors[i].bytes,
                           DeviceMemory(device_, tensors[i].bytes, DeviceMemory::For::runner)});
  }
  if (results.empty()) return std::nullopt;
  const auto poison = [&] {
    for (const std::size_t set : run.sets) prepared_.poison_outputs(set);
  };
  const auto call_ms = [&](bool written) {
    for (const std::size_t set : run.sets) prepared_.freshen(set, random_bits() | 1);
    poison();
    // As many calls as the series has: who begins to skip late has begun.
    Run first = run;
    first.repeat = calls_;
    first.blocked = false;
    prepared_.run(first);
    // Written and poisoned in either case, and in the opposite order: caches see the same.
    for (Result &result : results) device_.copy(result.kept.data(), result.output, result.bytes);
    if (written) poison();
    for (Result &result : results) device_.copy(result.output, result.kept.data(), result.bytes);
    if (!written) poison();
    return prepared_.run(run).inside_ms / static_cast<double>(run.sets.size());
  };
  double written_ms = 0, poisoned_ms = 0;
  const bool shown = shows_often([&] {
    written_ms = poisoned_ms = std::numeric_limits<double>::infinity();
    // In turns, so that a machine that is slow for a while is slow for both.
    for (int i = 0; i < 2 * TRIES; ++i) {
      const bool written = i % 2 == 0;
      double &least = written ? written_ms : poisoned_ms;
      least = std::min(least, call_ms(written));
    }
    return poisoned_ms >= LEAST_CALL_MS && written_ms < (1 - least_gain(poisoned_ms)) * poisoned_ms;
  });
  if (!shown) return std::nullopt;
  return said("a call whose outputs hold its results already takes %.2f us, and %.2f us where they hold none",
              written_ms, poisoned_ms);
}

}  // namespace pawl
