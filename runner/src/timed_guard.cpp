#include "timed_guard.hpp"

#include <chrono>
#include <thread>

#include "fill.hpp"
#include "random_bits.hpp"

namespace pawl {
namespace {

using Clock = std::chrono::steady_clock;

/** A writer that a call left behind has this long to be seen, at least. */
constexpr std::chrono::milliseconds LATE_WRITE_WINDOW(2);
/** Copying outputs may take this share of the request's budget, after the first copy. */
constexpr double MOST_COPYING = 0.1;
/** Reservoir sampling keeps the logarithm of the repetitions, which is below this for any number of them. */
constexpr int MOST_COPIES = 24;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

bool has_inouts(const Problem &problem) {
  for (const TensorSpec &tensor : problem.tensors)
    if (tensor.role == Role::inout) return true;
  return false;
}

}  // namespace

TimedGuard::TimedGuard(Device &device, PreparedCase &prepared) : device_(device), prepared_(prepared) {}

TimedGuard::TimedGuard(Device &device, PreparedCase &prepared, std::uint64_t &counter, Verifier *verifier,
                       double budget_ms)
    : device_(device),
      prepared_(prepared),
      counter_(&counter),
      verifier_(verifier),
      budget_ms_(budget_ms),
      has_inouts_(has_inouts(prepared.problem())) {}

void TimedGuard::before(std::size_t set) {
  if (!active()) return;
  // 0 stands for the contents of `prepare`.
  do key_ = mix(mix(prepared_.seed()) ^ mix(++*counter_));
  while (key_ == 0);
  prepared_.freshen(set, key_);
  prepared_.poison_outputs(set);
}

void TimedGuard::after(std::size_t set, std::int64_t calls) {
  if (!active()) return;
  last_set_ = set;
  if (verifier_ != nullptr && has_inouts_ && calls > 1) {
    note("no timed result was verified: a tensor that is input and output changes with every call of a batch");
    verifier_ = nullptr;
    kept_.reset();
  }
  // Reservoir sampling: however many repetitions there will be, each is the one that is kept with the same chance.
  if (verifier_ != nullptr && random_bits() % static_cast<std::uint64_t>(repetitions_ + 1) == 0) keep(set);
  ++repetitions_;
}

void TimedGuard::keep(std::size_t set) {
  if (kept_ && (copies_ >= MOST_COPIES || copying_ms_ > MOST_COPYING * budget_ms_)) return;
  const auto started = Clock::now();
  kept_ = KeptRepetition{repetitions_, set, key_, verifier_->take_outputs(set)};
  copying_ms_ += milliseconds_since(started);
  ++copies_;
}

void TimedGuard::start_over() {
  repetitions_ = 0;
  kept_.reset();
  copies_ = 0;
}

void TimedGuard::found(const char *detector, std::string message) {
  if (active()) tampering_.push_back({detector, "", std::move(message)});
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

  for (Tamper &tamper : prepared_.inspect(true)) tampering_.push_back(std::move(tamper));
  if (kept_) verify();

  std::this_thread::sleep_until(hashed + LATE_WRITE_WINDOW);
  device_.wait_for_all();
  if (device_.hash(outputs) != hash)
    found("late-write", "outputs changed after the last timed call had returned and was waited for");
}

void TimedGuard::verify() {
  prepared_.recreate(kept_->set, kept_->key);
  verifier_->take_inputs(kept_->set);
  prepared_.freshen(kept_->set, 0);
  Judgement judgement = verifier_->judge(kept_->outputs);
  verified_ = Json::object().set("repetition", kept_->repetition).set("tensors", judgement.tensors);
  if (judgement.passed && judgement.tampering.empty()) return;
  const std::string which = "timed repetition " + std::to_string(kept_->repetition) + ": ";
  if (judgement.tampering.empty()) found("timed-result-wrong", which + "the outputs differ from the oracle's");
  for (const Tamper &tamper : judgement.tampering)
    tampering_.push_back({"timed-result-wrong", tamper.tensor, which + tamper.message});
}

}  // namespace pawl
