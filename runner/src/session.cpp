#include "session.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <new>

#include "check.hpp"
#include "cpu/cpu_info.hpp"
#include "error.hpp"
#include "library_function.hpp"
#include "library_oracle.hpp"
#include "limited_oracle.hpp"
#include "python_oracle.hpp"
#include "quantile.hpp"
#include "timed_guard.hpp"
#include "verifier.hpp"

namespace pawl {
namespace {

/** sysexits.h: the first line held no key, so no answer to it could be told from a forged one. */
constexpr int EX_DATAERR = 65;

std::optional<Key> read_key(const Json *value) {
  if (value == nullptr || value->kind() != Json::Kind::string || value->string().size() != 64) return std::nullopt;
  Key key{};
  for (std::size_t i = 0; i < 64; ++i) {
    const char c = value->string()[i];
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return std::nullopt;
    key[i / 2] = static_cast<std::uint8_t>(key[i / 2] << 4 | digit);
  }
  return key;
}

/** Marks the inputs that the kernel prepares from. */
void mark_prepared(Problem &problem, const std::vector<std::string> &names) {
  for (const std::string &name : names) {
    const auto found = std::find_if(problem.tensors.begin(), problem.tensors.end(), [&](const TensorSpec &tensor) {
      return tensor.name == name && tensor.is_read_only();
    });
    if (found == problem.tensors.end()) bad_request("open.kernel.prepare.of: '" + name + "' is not an input of the case");
    found->prepared_from = true;
  }
  if (names.empty()) return;
  for (const TensorSpec &tensor : problem.tensors)
    if (!tensor.is_pure_output() && !tensor.prepared_from) return;
  bad_request("open.kernel.prepare.of leaves out no input: all of the work could be done beforehand");
}

/** How long preparing took in the middle, and how much memory it keeps. */
Json preparations_json(const PreparedCase::Preparations &found) {
  return Json::object()
      .set("count", static_cast<std::uint64_t>(found.ms.size()))
      .set("ms", median(found.ms))
      .set("bytes", found.bytes);
}

}  // namespace

int Session::serve() {
  while (const std::optional<std::string> line = channel_.read_line()) {
    // An answer to a line that has no readable id has id 0; the orchestrator counts from 1.
    std::int64_t id = 0;
    try {
      Json json;
      try {
        json = Json::parse(*line);
      } catch (const JsonError &error) {
        bad_request(std::string("the request is not JSON: ") + error.what());
      }
      if (const Json *given = json.find("id"); given != nullptr && given->is_integer()) id = given->integer();
      if (!channel_.has_key())
        if (const std::optional<Key> key = read_key(json.find("key"))) channel_.set_key(*key);
      const std::string op = Fields(json, "the request").text("op");
      const Fields request(json, op);
      request.integer("id", INT64_MIN);
      if (!channel_.has_key()) bad_request(op + ".key is not 64 lower-case hex digits");
      Json result = perform(op, request);
      channel_.answer(id, std::move(result));
      if (op == "quit") return 0;
    } catch (const RunnerError &error) {
      if (!channel_.has_key()) {
        std::fprintf(stderr, "pawl-judge: the first request must be `open` with a key: %s\n", error.what());
        return EX_DATAERR;
      }
      channel_.answer_error(id, error.code(), error.what());
    } catch (const std::bad_alloc &) {
      channel_.answer_error(id, "out-of-memory", "the judge's own memory ran out");
    } catch (const std::exception &error) {
      channel_.answer_error(id, "internal", error.what());
    }
  }
  return 0;
}

Json Session::perform(const std::string &op, const Fields &request) {
  if (op == "open") return open(request);
  if (op == "close" || op == "quit") {
    close();
    return Json::object();
  }
  if (op != "prepare" && op != "check" && op != "sample" && op != "profile" && op != "call" && op != "oracle" &&
      op != "generator" && op != "checker" && op != "state")
    bad_request("there is no operation '" + op + "'");
  if (candidate_ == nullptr) bad_request("`open` comes before `" + op + "`");
  if (op == "prepare") return prepare(request);
  if (op == "check") return check(request);
  if (op == "sample") return sample(request);
  if (op == "profile") return profile(request);
  if (op == "call") return call();
  if (op == "generator") {
    function(request.object("generator"), "generator").load(*device_, "generator-failed");
    return Json::object();
  }
  if (op == "checker") {
    function(request.object("checker"), "checker").load(*device_, "checker-failed");
    return Json::object();
  }
  if (op == "oracle") {
    oracle(request.object("oracle")).load(*device_);
    return Json::object();
  }
  return device_->state();
}

Json Session::prepare(const Fields &request) {
  request.text("case");
  Problem problem = read_problem(request);
  mark_prepared(problem, prepared_of_);
  const std::uint64_t seed = request.seed("seed");
  const auto sets = static_cast<std::size_t>(request.has("sets") ? request.integer("sets", 1, 1 << 16) : 0);
  const Json *variant = request.find("variant");
  PhaseClock phases;
  timed_.reset();
  prepared_.reset();
  generator_.reset();
  kept_ = {};
  device_->leave_place();
  if (request.has("generator")) {
    const double limit_ms = request.has("timeout_ms") ? request.number("timeout_ms") : 0;
    generator_ = std::make_unique<InputGenerator>(function(request.object("generator"), "generator"), limit_ms);
  }
  // Once for the tensors of the case, and once for what the kernel allocates itself.
  const bool drawn = request.boolean_or("drawn", false);
  if (drawn) device_->draw_place();
  phases.lap("place");
  prepared_ = std::make_unique<PreparedCase>(*device_, *candidate_, std::move(problem),
                                             variant == nullptr ? Json::object() : *variant, seed, sets, guard_,
                                             generator_.get());
  phases.lap("tensors");
  if (drawn) device_->draw_place();
  timed_ = std::make_unique<TimedKernel>(*device_, *candidate_, *prepared_);
  phases.lap("place");
  return Json::object()
      .set("phases_ms", phases.json())
      .set("sets", static_cast<std::uint64_t>(prepared_->set_count()))
      .set("bytes_per_set", static_cast<std::uint64_t>(prepared_->problem().bytes))
      .set("workspace_bytes", static_cast<std::uint64_t>(prepared_->workspace_bytes()));
}

Json Session::call() {
  PreparedCase &target = prepared();
  target.run_once(0);
  target.restore_inouts(0);
  target.poison_outputs(0);
  return Json::object();
}

PreparedCase &Session::prepared() const {
  if (prepared_ == nullptr) bad_request("no case is prepared: `prepare` comes first");
  return *prepared_;
}

const Oracle &Session::oracle(const Fields &code) {
  if (code.has("module")) return python_oracle(code);
  const std::string path = code.text("library");
  const std::string function = code.text_or("function", "pawl_oracle");
  const bool on_device = code.has("memory") && code.choice("memory", {"host", "device"}) == 1;
  const std::string sha256 = code.text_or("sha256", "");
  const std::string key = path + '\n' + sha256 + '\n' + function + (on_device ? "\ndevice" : "");
  const auto known = oracles_.find(key);
  if (known != oracles_.end()) return *known->second;
  const Oracle::Memory memory = on_device ? Oracle::Memory::device : Oracle::Memory::host;
  return *oracles_.emplace(key, std::make_unique<LibraryOracle>(path, sha256, function, memory))
              .first->second;
}

const Oracle &Session::python_oracle(const Fields &code) {
  const std::string key = code.json().text();
  const auto known = oracles_.find(key);
  if (known != oracles_.end()) return *known->second;
  return *oracles_.emplace(key, std::make_unique<PythonOracle>(python("an oracle"), *device_, code)).first->second;
}

PythonFunction &Session::function(const Fields &code, const char *role) {
  std::unique_ptr<PythonFunction> &known = functions_[role + code.json().text()];
  if (known == nullptr && code.has("library"))
    known = std::make_unique<LibraryFunction>(serving_, *device_, code,
                                              role == std::string("checker") ? "pawl_check" : "pawl_generate");
  if (known == nullptr)
    known = std::make_unique<PythonFunction>(python((std::string("a ") + role).c_str()), *device_,
                                             PythonFunction::code(code, code.text("function"), role));
  return *known;
}

struct Session::NamedJudges {
  std::optional<LimitedOracle> oracle;
  std::optional<Checker> checker;

  /** `limit_ms`: when the orchestrator gives the request up; 0 for never. */
  NamedJudges(Session &session, const Fields &rules, double oracle_limit_ms, double checker_limit_ms) {
    if (!rules.has("oracle") && !rules.has("checker"))
      bad_request(rules.path("oracle") + " is missing, and there is no checker either");
    if (rules.has("oracle")) oracle.emplace(session.oracle(rules.object("oracle")), oracle_limit_ms);
    if (!rules.has("checker")) return;
    const Fields code = rules.object("checker");
    checker.emplace(session.function(code, "checker"), code, checker_limit_ms);
  }
  Judges judges() const { return {oracle ? &*oracle : nullptr, checker ? &*checker : nullptr}; }
};

const CandidateStart &Session::python(const char *wanted) const {
  if (!python_)
    throw RunnerError("unsupported",
                      std::string(wanted) + " in Python was asked for, and no interpreter was named in `open`");
  return *python_;
}

Json Session::check(const Fields &request) {
  CheckRequest wanted{read_rules(request), request.seed("seed")};
  wanted.audit = request.boolean_or("audit", false);
  wanted.nondeterministic = request.boolean_or("nondeterministic", false);
  wanted.blind = request.boolean_or("blind", false);
  if (request.has("draws")) wanted.draws = static_cast<std::size_t>(request.integer("draws", 1, 1 << 24));
  const double limit_ms = request.has("timeout_ms") ? request.number("timeout_ms") : 0;
  const NamedJudges named(*this, request, limit_ms, limit_ms);
  PreparedCase &target = prepared();
  ahead_.wait();
  Json result = pawl::check(*device_, target, named.judges(), *watch_, wanted);
  start_next();
  return result;
}

void Session::start_next() {
  if (next_ && !ahead_.has_begun()) ahead_.begin(*device_, *next_);
}

Json Session::sample(const Fields &request) {
  const auto started = std::chrono::steady_clock::now();
  const auto mode = static_cast<Mode>(request.choice("mode", {"cold", "hot", "graph"}));
  const std::int64_t count = request.integer("count", 1);
  const double budget_ms = request.number("budget_ms");
  if (!(budget_ms > 0)) bad_request("sample.budget_ms is not positive");
  const bool blocked = request.choice("timing", {"blocked", "plain"}) == 0;
  const bool guarded = request.boolean_or("guarded", true);
  PreparedCase &target = prepared();
  std::optional<NamedJudges> named;
  std::optional<Verifier> verifier;
  if (guarded && request.has("verify")) {
    const Fields rules = request.object("verify");
    named.emplace(*this, rules, 0, request.has("timeout_ms") ? request.number("timeout_ms") : 0);
    verifier.emplace(*device_, target, named->judges(), read_rules(rules));
  }

  KeptResults *kept = verifier || request.boolean_or("keep", false) ? &kept_ : nullptr;
  TimedGuard guard = guarded
                         ? TimedGuard(*device_, target, repetitions_, kept, verifier ? &*verifier : nullptr, budget_ms)
                         : TimedGuard(*device_, target);
  if (!request.boolean_or("searched", true)) guard.trust();
  // Where results are kept for a later request, more intervals follow.
  if (verifier || kept == nullptr) guard.when_timed([this] { start_next(); });
  if (guarded) target.arm();
  guard.phases().lap("arm");
  ahead_.wait();
  guard.phases().lap("next process");
  SampleOutcome outcome = take_samples(*timed_, {mode, count, budget_ms, blocked}, guard);
  guard.finish();
  for (const Tamper &tamper : watch_->load_findings()) guard.found(tamper.detector, tamper.message);
  outcome.notes.insert(outcome.notes.end(), guard.notes().begin(), guard.notes().end());

  Json result = Json::object();
  result.set("samples_ms", Json::list(outcome.samples_ms));
  if (!outcome.clock_mhz.empty()) result.set("clock_mhz", Json::list(outcome.clock_mhz));
  if (!outcome.throttle_masks.empty()) result.set("throttle_masks", Json::list(outcome.throttle_masks));
  result.set("batch", outcome.batch)
      .set("timing", outcome.timing)
      .set("notes", Json::list(outcome.notes))
      .set("tampering", tampering_json(guard.tampering()));
  if (guard.verified()) result.set("verified", *guard.verified());
  result.set("state", device_->state());
  const std::optional<double> peak = device_->memory_peak_bytes();
  if (const std::optional<double> own = peak ? peak : resident_peak_bytes(candidate_->pid()))
    result.set("memory_peak_bytes", *own);
  if (!target.preparations().ms.empty()) result.set("prepare", preparations_json(target.preparations()));
  if (outcome.outside_ms > 0) result.set("outside_ms", outcome.outside_ms);
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - started;
  result.set("wall_ms", wall.count()).set("timed_ms", outcome.timed_ms);
  guard.phases().lap("rest");
  result.set("phases_ms", guard.phases().json());
  return result;
}

Json Session::profile(const Fields &request) {
  const std::int64_t launches = request.integer("launches", 1, 1 << 20);
  prepared().make_ready(0);
  device_->wait();
  candidate_->profile(launches);
  Json result = Json::object().set("launches", launches);
  if (request.boolean_or("list", false)) {
    const Json told = candidate_->launches();
    if (const Json *functions = told.find("launches"); functions != nullptr && !functions->items().empty())
      result.set("functions", *functions);
    if (const Json *notes = told.find("notes")) result.set("notes", *notes);
  }
  return result;
}

}  // namespace pawl
