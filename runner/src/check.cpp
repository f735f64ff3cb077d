#include "check.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <thread>

#include "audit.hpp"
#include "element.hpp"
#include "random_bits.hpp"
#include "verifier.hpp"

namespace pawl {
namespace {

using Clock = std::chrono::steady_clock;
using Outputs = Verifier::Outputs;

/** Checks use set 0; the other sets only rotate in cold mode. */
constexpr std::size_t SET = 0;
/** Poison of integer outputs in the second run: what holds 0xFF first and this then was never written. */
constexpr unsigned char SECOND_PATTERN = 0x55;
/** Runs with the usual canaries, and as many with others, that find out what a difference comes from. */
constexpr std::size_t REPEATS = 4;
/** How long after the last call an audit reads the outputs again. */
constexpr std::chrono::milliseconds LATE{5};

double milliseconds(Clock::duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

std::string some_of(std::size_t count, const TensorSpec &tensor) {
  const char *what = is_packed(tensor.dtype) ? " bytes of '" : " elements of '";
  return std::to_string(count) + " of " + std::to_string(pieces(tensor.dtype, tensor.elements)) + what + tensor.name + "' ";
}

/** Elements that were not written, and that differ otherwise, between two runs with different poison. */
Difference difference(Device &device, const TensorSpec &tensor, const KeptTensor &first, const KeptTensor &second) {
  const int poison = !tensor.is_pure_output() ? -1 : has_poison(tensor.dtype) ? 0xFF : SECOND_PATTERN;
  return device.difference({first.data(), second.data(), dtype_bytes(tensor.dtype), pieces(tensor.dtype, tensor.elements), poison});
}

/** Elements that differ, whatever they hold. */
std::size_t differing(Device &device, const TensorSpec &tensor, const KeptTensor &first, const KeptTensor &second) {
  return device.difference({first.data(), second.data(), dtype_bytes(tensor.dtype), pieces(tensor.dtype, tensor.elements), -1}).differing;
}

/** Whether two runs came to the same, element by element. */
bool same(Device &device, const Problem &problem, const Outputs &first, const Outputs &second) {
  for (std::size_t t = 0; t < first.size(); ++t)
    if (!first[t].empty() && differing(device, problem.tensors[t], first[t], second[t]) > 0) return false;
  return true;
}

/** Whether some output is more than one value over and over. */
bool varies(Device &device, const Problem &problem, const Outputs &outputs) {
  for (std::size_t t = 0; t < outputs.size(); ++t) {
    const std::size_t count = pieces(problem.tensors[t].dtype, problem.tensors[t].elements);
    if (outputs[t].empty() || count < 2) continue;
    const std::size_t size = dtype_bytes(problem.tensors[t].dtype);
    const auto *next = static_cast<const unsigned char *>(outputs[t].data()) + size;
    if (device.difference({outputs[t].data(), next, size, count - 1, -1}).differing > 0) return true;
  }
  return false;
}

class Check {
 public:
  Check(Device &device, PreparedCase &prepared, const Judges &judges, CandidateWatch &watch,
        const CheckRequest &request)
      : device_(device),
        prepared_(prepared),
        judges_(judges),
        watch_(watch),
        request_(request),
        verifier_(device, prepared, judges, request.rules) {}

  Json run() {
    const auto started = Clock::now();
    prepared_.arm();
    prepared_.fill_as_recorded(SET, request_.seed);
    // Before the kernel runs: whatever it does to its inputs, the oracle has its own.
    verifier_.take_inputs(SET);
    const Outputs first = call();
    Outputs second = call_again(true);
    const std::vector<std::size_t> changed = compare_runs(first, second);
    if (!changed.empty() && !request_.nondeterministic) explain_difference(changed, first, second);
    // What is as large as the inputs is not kept for longer than it is of use.
    if (changed.empty()) second.clear();
    const std::uint64_t hash = prepared_.input_hash(SET);
    const Outputs third = call_on_other_contents();
    const bool others = prepared_.input_hash(SET) != hash;

    Judgement judgement = judge(verifier_, first);
    if (judgement.passed && request_.nondeterministic && !changed.empty()) judgement = judge(verifier_, second);
    find_late_writes(third);
    if (judgement.passed && verifier_.has_draws()) judge_draws(judgement);
    if (others && same(device_, problem(), first, third)) find_cached_result(first, third, judgement.passed);
    report_all(found_, judgement.tampering);
    report_all(found_, watch_.load_findings());
    std::optional<Blindness> blindness;
    if (request_.blind && judgement.passed) blindness = find_blind_answers(first, third);
    // Samples are taken on the inputs of `prepare`, whatever checks came between.
    prepared_.fill_set(SET, prepared_.seed());

    Json extra = Json::object();
    if (request_.audit) report_all(found_, audit(device_, prepared_, watch_, extra));
    Json result = Json::object();
    result.set("passed", found_.empty())
        .set("oracle", judges_.name())
        .set("tensors", std::move(judgement.tensors))
        .set("tampering", tampering_json(found_));
    if (judgement.checked) result.set("checked", *judgement.checked);
    if (!judgement.sampled.items().empty()) result.set("sampled", judgement.sampled);
    for (const Json::Member &member : extra.members())
      if (member.first != "notes") result.set(member.first, member.second);
    const Json *audited = extra.find("notes");
    Json notes = audited == nullptr ? Json::array() : *audited;
    if (blindness) {
      result.set("blind", blindness->answers);
      for (const std::string &note : blindness->notes) notes.add(note);
    }
    if (!notes.items().empty()) result.set("notes", std::move(notes));
    result.set("cost_ms", Json::object()
                              .set("kernel", milliseconds(kernel_time_))
                              .set("oracle", oracle_ms_)
                              .set("total", milliseconds(Clock::now() - started)));
    return result;
  }

 private:
  Device &device_;
  PreparedCase &prepared_;
  Judges judges_;
  CandidateWatch &watch_;
  CheckRequest request_;
  Verifier verifier_;
  std::vector<Tamper> found_;
  /** By the last inspection, which says that inputs are not what they were filled with. */
  bool inputs_spoiled_ = false;
  Clock::duration kernel_time_{};
  Clock::time_point returned_{};
  double oracle_ms_ = 0;

  const Problem &problem() const { return prepared_.problem(); }
  /** A seed that this check's kernel has not seen. */
  std::uint64_t other_seed() const { return mix(request_.seed ^ 0x6F74686572ull); }

  Outputs call() {
    const auto before = Clock::now();
    prepared_.run_watched(SET, watch_.calls());
    returned_ = Clock::now();
    kernel_time_ += returned_ - before;
    Outputs outputs = take_outputs(prepared_, SET);
    const std::vector<Tamper> seen = prepared_.inspect(false);
    inputs_spoiled_ = false;
    for (const Tamper &tamper : seen)
      inputs_spoiled_ = inputs_spoiled_ || std::strcmp(tamper.detector, "input-changed") == 0;
    report_all(found_, seen);
    // What a framework keeps for the next call may leave no room for the oracle.
    if (problem().bytes >= LARGE_BYTES) prepared_.candidate().give_back();
    return outputs;
  }

  /** On the same inputs, with other poison, and optionally other bytes wherever a kernel should not look. */
  Outputs call_again(bool other_canaries) {
    if (other_canaries) prepared_.vary_canaries(SET, true);
    if (inputs_spoiled_)
      prepared_.fill_as_recorded(SET, request_.seed);
    else
      prepared_.restore_inouts(SET);
    prepared_.poison_outputs(SET, SECOND_PATTERN);
    Outputs outputs = call();
    if (other_canaries) prepared_.vary_canaries(SET, false);
    return outputs;
  }

  Outputs call_on_other_contents() {
    prepared_.fill_set(SET, other_seed());
    prepared_.poison_outputs(SET);
    return call();
  }

  Judgement judge(Verifier &verifier, const Outputs &outputs) {
    Judgement judgement = verifier.judge(outputs);
    oracle_ms_ += judgement.oracle_ms;
    return judgement;
  }

  /** On the inputs of the first call, which only differ in what draws are made from. */
  void judge_draws(Judgement &judgement) {
    prepared_.fill_set(SET, request_.seed);
    const Judgement drawn = verifier_.judge_draws(
        [&] {
          for (const TensorSpec &tensor : problem().tensors)
            if (tensor.distribution && !tensor.distribution->seed.empty())
              prepared_.fill_anew(SET, tensor.distribution->seed);
          prepared_.poison_outputs(SET);
          prepared_.run_once(SET);
          return take_outputs(prepared_, SET);
        },
        request_.draws);
    judgement.sampled = drawn.sampled;
    judgement.passed = drawn.passed;
    report_all(judgement.tampering, drawn.tampering);
  }

  Blindness find_blind_answers(const Outputs &outputs, const Outputs &others) {
    Verifier other(device_, prepared_, judges_, request_.rules);
    prepared_.fill_set(SET, other_seed());
    other.take_inputs(SET);
    Blindness found = verifier_.find_blind_answers(outputs, other.let_go_of_inputs(), others);
    oracle_ms_ += found.oracle_ms;
    return found;
  }

  /** Reports what was not written; the tensors that were written otherwise than before. */
  std::vector<std::size_t> compare_runs(const Outputs &first, const Outputs &second) {
    std::vector<std::size_t> changed;
    for (std::size_t t = 0; t < first.size(); ++t) {
      const TensorSpec &tensor = problem().tensors[t];
      if (!tensor.is_written()) continue;
      const Difference found = difference(device_, counted(t, first), first[t], second[t]);
      if (found.unwritten > 0)
        report(found_, {"unwritten-output", tensor.name, some_of(found.unwritten, tensor) + "were not written"});
      // What draws by itself draws otherwise the next time.
      const bool repeats = !tensor.distribution || !tensor.distribution->seed.empty();
      if (found.differing > 0 && repeats) changed.push_back(t);
    }
    return changed;
  }

  /** An output as far as it counts, by what the kernel says itself: whether that is right is the oracle's to say. */
  TensorSpec counted(std::size_t t, const Outputs &outputs) const {
    const TensorSpec &tensor = problem().tensors[t];
    if (tensor.counted_by.empty()) return tensor;
    const std::size_t at = index_of(problem(), tensor.counted_by);
    std::uint64_t bytes = 0;
    device_.copy_to_host(&bytes, outputs[at].data(), outputs[at].bytes());
    const std::int64_t rows = load_integer(&bytes, problem().tensors[at].dtype, 0);
    return first_rows(tensor, std::clamp<std::int64_t>(rows, 0, tensor.shape[0]));
  }

  /**
   * Whether outputs follow the canaries, by more runs in an order drawn at random: a kernel that alternates between two
   * ways of its own accord (some try both in their first calls) must not seem to read what lies beside its buffers.
   */
  void explain_difference(std::vector<std::size_t> changed, const Outputs &first, const Outputs &second) {
    const std::vector<std::size_t> all = changed;
    const auto follows = [&](std::size_t t, const Outputs &again, bool varied) {
      return varied ? differing(device_, counted(t, first), again[t], second[t]) == 0
                    : difference(device_, counted(t, first), first[t], again[t]).differing == 0;
    };
    std::size_t plain_left = REPEATS, varied_left = REPEATS;
    while (plain_left + varied_left > 0 && !changed.empty()) {
      // The first repeats the last one, which no kernel that takes turns can do.
      const bool is_first = varied_left == REPEATS;
      const bool varied = is_first || random_bits() % (plain_left + varied_left) < varied_left;
      --(varied ? varied_left : plain_left);
      const Outputs again = call_again(varied);
      changed.erase(std::remove_if(changed.begin(), changed.end(),
                                   [&](std::size_t t) { return !follows(t, again, varied); }),
                    changed.end());
    }
    for (const std::size_t t : all) {
      const TensorSpec tensor = counted(t, first);
      const std::string count = some_of(difference(device_, tensor, first[t], second[t]).differing, tensor);
      if (std::find(changed.begin(), changed.end(), t) != changed.end())
        report(found_, {"out-of-bounds-read", tensor.name,
                        count + "change with the contents of the guard bytes beside the buffers"});
      else
        report(found_, {"nondeterministic", tensor.name, count + "differed between two runs on the same inputs"});
    }
  }

  /** New contents gave every old output again: that is a cache, unless it is right. */
  void find_cached_result(const Outputs &first, const Outputs &third, bool first_was_right) {
    // One value over and over is a wrong result, not an old one.
    if (!first_was_right && !varies(device_, problem(), first)) return;
    Verifier other(device_, prepared_, judges_, request_.rules);
    prepared_.fill_set(SET, other_seed());
    other.take_inputs(SET);
    const Judgement judgement = judge(other, third);
    if (judgement.passed) return;
    for (const Tamper &wrong : judgement.tampering)
      report(found_, {"cached-result", wrong.tensor,
                      "'" + wrong.tensor + "' is what it was before, although other inputs lie at the same addresses; " +
                          wrong.message});
  }

  void find_late_writes(const Outputs &right_after) {
    if (request_.audit) std::this_thread::sleep_until(returned_ + LATE);
    const Outputs now = take_outputs(prepared_, SET);
    if (same(device_, problem(), now, right_after)) return;
    Verifier other(device_, prepared_, judges_, request_.rules);
    prepared_.fill_set(SET, other_seed());
    other.take_inputs(SET);
    const bool right_only_now = !judge(other, right_after).passed && judge(other, now).passed;
    for (std::size_t t = 0; t < now.size(); ++t) {
      const TensorSpec &tensor = problem().tensors[t];
      const std::size_t changed = now[t].empty() ? 0 : differing(device_, tensor, now[t], right_after[t]);
      if (changed == 0) continue;
      report(found_, {"late-write", tensor.name,
                      some_of(changed, tensor) + "changed after the call had returned" +
                          (right_only_now ? "; they were wrong then and are right now, so they were written later" : "")});
    }
  }
};

}  // namespace

Json check(Device &device, PreparedCase &prepared, const Judges &judges, CandidateWatch &watch,
           const CheckRequest &request) {
  return Check(device, prepared, judges, watch, request).run();
}

}  // namespace pawl
