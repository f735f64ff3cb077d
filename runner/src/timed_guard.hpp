#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device.hpp"
#include "phase_clock.hpp"
#include "prepared_case.hpp"
#include "verifier.hpp"

namespace pawl {

/** The outputs of one timed repetition, and what its inputs can be made again from. */
struct KeptRepetition {
  std::int64_t repetition;
  std::size_t set;
  PreparedCase::Origin origin;
  std::uint64_t key;
  Verifier::Outputs outputs;
};

/**
 * Until a request comes that verifies: results of repetitions whose contents were all new, drawn at random, and of the
 * fastest one. Who leaves work out in a few calls only gains where those are the fastest.
 */
struct KeptResults {
  std::vector<KeptRepetition> results;
  std::int64_t seen = 0;
  std::optional<KeptRepetition> fastest;
  double fastest_ms = 0;
};

/**
 * What surrounds the timed repetitions of one request, so that a repetition can neither reuse what an earlier one
 * computed nor leave out what a check would have seen.
 *
 * Before each: contents that no repetition had before, all of them new in one of every few, drawn at random, and poison
 * in the outputs. After each: a glance at its outputs. After some whose contents were all new, one other, drawn at
 * random, and the fastest: a copy of them. After the last: a hash of its outputs, taken again when the request ends, a comparison of the
 * copies with the oracle's, and one of how long new and known contents took.
 */
class TimedGuard {
 public:
  /** Changes nothing and looks at nothing: for measuring what guarding costs. */
  TimedGuard(Device &device, PreparedCase &prepared);
  /** `counter` and `kept` go on from request to request. With a verifier, what is kept is compared. */
  TimedGuard(Device &device, PreparedCase &prepared, std::uint64_t &counter, KeptResults *kept, Verifier *verifier,
             double budget_ms);

  bool active() const { return counter_ != nullptr; }
  /** Before the first of about so many repetitions: whatever takes long is done now. */
  void prepare(std::int64_t repetitions);
  /** Before the repetition's caches are emptied: what this touches is then outside of every cache as well. */
  void before(std::size_t set);
  /** Right after its interval ended: how long a call took, by the judge's clock where that says more. */
  void saw(double call_ms);
  /** The repetition counts. It was `calls` calls of the kernel, queued before the first began where it was `blocked`. */
  void after(std::size_t set, std::int64_t calls, bool blocked);
  /** The repetitions so far do not count. */
  void start_over();
  /** This kernel is trusted not to remember: nothing is looked for that needs calls of its own. */
  void trust() { trusted_ = true; }
  /** What is left of the request disturbs nothing that is timed, and takes long: told once. */
  void when_timed(std::function<void()> told) { when_timed_ = std::move(told); }
  /** A finding of the device's own. */
  void found(const char *detector, std::string message);
  void note(std::string text);

  /** Where the request's time goes. */
  PhaseClock &phases() { return phases_; }

  /** Once, when the device has taken its samples. */
  void finish();
  const std::vector<Tamper> &tampering() const { return tampering_; }
  const std::vector<std::string> &notes() const { return notes_; }
  /** `verified` of the result. */
  const std::optional<Json> &verified() const { return verified_; }

 private:
  Device &device_;
  PreparedCase &prepared_;
  std::uint64_t *counter_ = nullptr;
  KeptResults *kept_new_ = nullptr;
  Verifier *verifier_ = nullptr;
  double budget_ms_ = 0;
  bool has_inouts_ = false;
  std::uint64_t key_ = 0;
  bool all_new_ = false;
  bool trusted_ = false;
  std::function<void()> when_timed_;
  /** Where in its block of repetitions the one comes whose contents are all new. */
  std::uint64_t new_at_ = 0;
  std::uint64_t in_block_ = 0;
  /** How long calls took on contents that were all new, and on those that had been seen but for a few elements. */
  std::vector<double> new_ms_, known_ms_;
  /** Of a repetition. */
  double call_ms_ = 0;
  std::int64_t calls_ = 1;
  bool blocked_ = false;
  std::int64_t repetitions_ = 0;
  std::optional<std::size_t> last_set_;
  std::optional<KeptRepetition> kept_;
  int copies_ = 0;
  double copying_ms_ = 0;
  std::vector<Tamper> tampering_;
  std::vector<std::string> notes_;
  std::optional<Json> verified_;
  PhaseClock phases_;

  std::vector<Region> outputs_of(std::size_t set) const;
  void keep(std::size_t set);
  void keep_new(std::size_t set);
  void keep_fastest(std::size_t set);
  KeptRepetition copy(std::size_t set);
  void verify();
  /** What the oracle and the checker say of it; findings are reported. */
  Judgement compare(const KeptRepetition &kept);
  /** For contents or results that the kernel remembers. */
  void search_memory();
  bool remembers() const;
  /** Pairs of calls on the same contents: the first has never seen them, the second has. */
  void confirm_remembering(std::size_t set);
  RunOutcome run_again(std::size_t set);
};

}  // namespace pawl
