// What the judge asks a candidate for, once it holds kernel code.
#include <algorithm>
#include <chrono>
#include <set>

#include <sys/stat.h>

#include "answer_fields.hpp"
#include "candidate.hpp"
#include "error.hpp"
#include "milliseconds_since.hpp"

namespace pawl {

std::int64_t Candidate::hand_over(const void *memory) {
  for (const Handed &handed : handed_)
    if (handed.memory == memory) return handed.number;
  const auto [descriptor, bytes] = sharing_.shared(memory);
  struct stat status {};
  if (fstat(descriptor, &status) == 0) given_.insert(static_cast<std::uint64_t>(status.st_ino));
  const std::int64_t number = next_memory_++;
  ask(Json::object().set("op", "map").set("memory", number).set("bytes", static_cast<std::uint64_t>(bytes)), descriptor);
  handed_.push_back({memory, number});
  return number;
}

WantedMemory Candidate::prepare(const Problem &problem, const Json &variant, std::size_t guard_bytes,
                                const std::vector<std::vector<const void *>> &sets) {
  Json dims = Json::array(), tensors = Json::array(), layout = Json::array();
  for (const Dim &dim : problem.dims) dims.add(Json::object().set("name", dim.name).set("value", dim.value));
  for (const TensorSpec &tensor : problem.tensors) {
    Json one = Json::object()
                   .set("name", tensor.name)
                   .set("role", tensor.is_read_only() ? "input" : tensor.is_pure_output() ? "output" : "inout")
                   .set("dtype", static_cast<std::int64_t>(tensor.dtype))
                   .set("shape", Json::list(tensor.shape));
    // An oracle need not say what is judged in another way.
    if (tensor.judged == Judged::by_checker) one.set("optional", true);
    if (!tensor.counted_by.empty()) one.set("partial", true);
    if (tensor.view)
      one.set("strides", Json::list(tensor.view->strides_list()))
          .set("offset", static_cast<std::uint64_t>(tensor.view->offset))
          .set("stored", static_cast<std::uint64_t>(tensor.view->stored));
    tensors.add(std::move(one));
  }
  for (const std::vector<const void *> &set : sets) {
    Json numbers = Json::array();
    for (const void *memory : set) numbers.add(hand_over(memory));
    layout.add(std::move(numbers));
  }
  case_ = Json::object()
              .set("op", "case")
              .set("dims", std::move(dims))
              .set("scalars", scalars_json(problem.scalars))
              .set("tensors", std::move(tensors))
              .set("variant", variant)
              .set("guard_bytes", static_cast<std::uint64_t>(guard_bytes))
              .set("seeded", problem.seeded)
              .set("sets", std::move(layout));
  const Json answer = ask(*case_);
  const auto bytes_in = [&](const char *name) {
    const double bytes = number_in(answer, name);
    if (!(bytes >= 0 && bytes < 9e15)) throw RunnerError("forged", "the kernel wants memory of no size");
    return static_cast<std::size_t>(bytes);
  };
  return {bytes_in("workspace_bytes"), bytes_in("prepared_bytes")};
}

void Candidate::use_prepared(std::size_t set, const void *memory, std::size_t offset, std::size_t bytes) {
  prepared_.push_back(Json::object()
                          .set("op", "prepared")
                          .set("set", static_cast<std::uint64_t>(set))
                          .set("memory", hand_over(memory))
                          .set("offset", static_cast<std::uint64_t>(offset))
                          .set("bytes", static_cast<std::uint64_t>(bytes)));
  ask(prepared_.back());
}

void Candidate::use_workspace(const void *memory, std::size_t offset, std::size_t bytes) {
  workspace_ = Json::object()
                   .set("op", "workspace")
                   .set("memory", hand_over(memory))
                   .set("offset", static_cast<std::uint64_t>(offset))
                   .set("bytes", static_cast<std::uint64_t>(bytes));
  ask(*workspace_);
}

void Candidate::forget() {
  case_.reset();
  workspace_.reset();
  prepared_.clear();
  handed_.clear();
  if (pid_ >= 0) ask(Json::object().set("op", "forget"));
}

Preparation Candidate::prepare_inputs(std::size_t set) {
  const auto begun = std::chrono::steady_clock::now();
  const Json answer = ask(Json::object().set("op", "prepare").set("set", static_cast<std::uint64_t>(set)));
  const double took_ms = milliseconds_since(begun) - round_trip_.typical_ms;
  return {std::max(took_ms, 0.0), std::max(number_in(answer, "device_bytes"), 0.0)};
}

void Candidate::evict(std::size_t set) {
  ask(Json::object().set("op", "evict").set("set", static_cast<std::uint64_t>(set)));
}

void Candidate::give_back() { ask(Json::object().set("op", "give_back")); }

RunOutcome Candidate::run(const Run &run) {
  Json sets = Json::array();
  for (const std::size_t set : run.sets) sets.add(static_cast<std::uint64_t>(set));
  Json request = Json::object().set("op", "run").set("sets", std::move(sets)).set("repeat", run.repeat);
  if (run.blocked) request.set("blocked", true);
  if (run.captured) request.set("captured", true);
  if (run.watch) request.set("watch", true);
  if (run.rest) request.set("rest", true);
  if (run.bare) request.set("bare", true);
  if (run.warm) request.set("warm", true);
  if (run.lasting_ms > 0) request.set("lasting_ms", run.lasting_ms);
  const auto begun = std::chrono::steady_clock::now();
  const Json answer = ask(std::move(request));
  RunOutcome outcome;
  outcome.outside_ms = milliseconds_since(begun);
  outcome.inside_ms = number_in(answer, "ms");
  outcome.clock_mhz = number_in(answer, "clock_mhz");
  outcome.timed_out = true_in(answer, "timed_out");
  outcome.busy_after_ms = number_in(answer, "busy_after_ms");
  outcome.aliased = text_in(answer, "aliased");
  return outcome;
}

void Candidate::capture(std::size_t set, std::int64_t batch) {
  try {
    ask(Json::object().set("op", "capture").set("set", static_cast<std::uint64_t>(set)).set("batch", batch));
  } catch (const RunnerError &error) {
    if (error.code() != "exited" && error.code() != "crashed") throw;
    // A kernel that ends its process where CUDA refuses something: what capturing refuses is not its fault.
    replace();
    throw RunnerError("unsupported", std::string("the kernel cannot be captured into a CUDA graph: ") + error.what());
  }
}

void Candidate::profile(std::int64_t launches) {
  ask(Json::object().set("op", "profile").set("launches", launches));
}

Json Candidate::launches() {
  try {
    return ask(Json::object().set("op", "launches"));
  } catch (const RunnerError &error) {
    if (error.code() != "exited" && error.code() != "crashed") throw;
    replace();
    const std::string note = std::string("launches: a call could not be captured: ") + error.what();
    return Json::object().set("notes", Json::list(std::vector<std::string>{note}));
  }
}

Facts Candidate::settings() {
  const Json answer = ask(Json::object().set("op", "settings"));
  Facts facts;
  if (const Json *told = answer.find("settings"))
    for (const Json::Member &member : told->members()) facts[member.first] = member.second.string();
  return facts;
}

double Candidate::heap_bytes() { return number_in(ask(Json::object().set("op", "memory")), "heap_bytes"); }

}  // namespace pawl
