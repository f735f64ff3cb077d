#include "session.hpp"

#include <chrono>
#include <cstdio>
#include <new>

#include <unistd.h>

#include "audit.hpp"
#include "check.hpp"
#include "error.hpp"
#include "timed_guard.hpp"
#include "verifier.hpp"
#include "watch/kernel_watch.hpp"

namespace pawl {
namespace {

constexpr int PROTOCOL = 1;
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

/** The path of a native library; a Python function is another runner's. */
std::string library_path(const Fields &code) {
  if (!code.has("library") && code.has("module"))
    throw RunnerError("unsupported", "the native runner loads shared libraries, not Python modules");
  return code.text("library");
}

/** `atol`, `rtol` and `factor`: when an output is right. */
Rules read_rules(const Fields &request) {
  Rules rules{request.number("atol"), request.number("rtol"), std::nullopt};
  if (rules.atol < 0 || rules.rtol < 0) bad_request("a tolerance is negative");
  if (request.has("factor")) rules.factor = request.number("factor");
  if (rules.factor && !(*rules.factor > 0)) bad_request(request.path("factor") + " is not positive");
  return rules;
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
        std::fprintf(stderr, "pawl-runner: the first request must be `open` with a key: %s\n", error.what());
        return EX_DATAERR;
      }
      channel_.answer_error(id, error.code(), error.what());
    } catch (const std::bad_alloc &) {
      channel_.answer_error(id, "out-of-memory", "the runner's own memory ran out");
    } catch (const std::exception &error) {
      channel_.answer_error(id, "internal", error.what());
    }
  }
  return 0;
}

Json Session::perform(const std::string &op, const Fields &request) {
  if (op == "open") return open(request);
  if (op == "quit") return Json::object();
  if (op != "prepare" && op != "check" && op != "sample" && op != "profile" && op != "state")
    bad_request("there is no operation '" + op + "'");
  if (kernel_ == nullptr) bad_request("`open` comes before `" + op + "`");
  if (op == "prepare") return prepare(request);
  if (op == "check") return check(request);
  if (op == "sample") return sample(request);
  if (op == "profile") return profile(request);
  return device_->state();
}

Json Session::open(const Fields &request) {
  if (kernel_ != nullptr) bad_request("`open` comes once");
  const std::int64_t protocol = request.integer("protocol", 0);
  if (protocol != PROTOCOL)
    throw RunnerError("unsupported", "this runner speaks protocol 1, not " + std::to_string(protocol));
  const bool cuda = request.choice("device", {"cpu", "cuda"}) == 1;
  const auto index = static_cast<int>(request.integer("device_index", 0, 1 << 16));
  const auto threads = static_cast<int>(request.integer("threads", 1, 1 << 16));
  const Fields kernel = request.object("kernel");
  const std::string path = library_path(kernel);
  const std::string function = kernel.text_or("function", "pawl_run");
  // compute-sanitizer knows the ends of allocations, AddressSanitizer those of what it is told.
  guard_ = !request.boolean_or("sanitized", false) ? Guard::canaries : cuda ? Guard::none : Guard::fenced;
  if (cuda && make_cuda_device == nullptr)
    throw RunnerError("unsupported", "this runner was built without CUDA; pawl-runner-cuda has it");

  device_ = cuda ? make_cuda_device(index) : make_cpu_device(threads);
  kernel_watch().before_load(*device_);
  Json versions = Json::object();
  for (const auto &[name, version] : device_->versions()) versions.set(name, version);
  Json device = device_->info();
  // Kernel code runs from here on: a library's constructors are its first.
  kernel_ = std::make_unique<KernelLibrary>(path, function);
  kernel_watch().after_load(path);
  return Json::object()
      .set("protocol", PROTOCOL)
      .set("runner", "native")
      .set("pid", static_cast<std::int64_t>(getpid()))
      .set("device", std::move(device))
      .set("modes", Json::list(device_->modes()))
      .set("versions", std::move(versions));
}

Json Session::prepare(const Fields &request) {
  request.text("case");
  Problem problem = read_problem(request);
  const std::uint64_t seed = request.seed("seed");
  const auto sets = static_cast<std::size_t>(request.has("sets") ? request.integer("sets", 1, 1 << 16) : 0);
  device_->forget_case();
  prepared_.reset();
  prepared_ = std::make_unique<PreparedCase>(*device_, *kernel_, std::move(problem), seed, sets, guard_);
  return Json::object()
      .set("sets", static_cast<std::uint64_t>(prepared_->set_count()))
      .set("bytes_per_set", static_cast<std::uint64_t>(prepared_->problem().bytes))
      .set("workspace_bytes", static_cast<std::uint64_t>(prepared_->workspace_bytes()));
}

PreparedCase &Session::prepared() const {
  if (prepared_ == nullptr) bad_request("no case is prepared: `prepare` comes first");
  return *prepared_;
}

const Oracle &Session::oracle(const Fields &code) {
  const std::string path = library_path(code);
  const std::string function = code.text_or("function", "pawl_oracle");
  const bool on_device = code.has("memory") && code.choice("memory", {"host", "device"}) == 1;
  const std::string key = path + '\n' + function + (on_device ? "\ndevice" : "");
  kernel_watch().declare(path);
  const auto known = oracles_.find(key);
  if (known != oracles_.end()) return known->second;
  return oracles_.try_emplace(key, path, function, on_device ? Oracle::Memory::device : Oracle::Memory::host)
      .first->second;
}

Json Session::check(const Fields &request) {
  CheckRequest wanted{read_rules(request), request.seed("seed")};
  wanted.audit = request.boolean_or("audit", false);
  wanted.nondeterministic = request.boolean_or("nondeterministic", false);
  wanted.blind = request.boolean_or("blind", false);
  const Fields code = request.object("oracle");
  PreparedCase &target = prepared();
  return pawl::check(*device_, target, oracle(code), wanted);
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
  std::optional<Verifier> verifier;
  if (guarded && request.has("verify")) {
    const Fields rules = request.object("verify");
    verifier.emplace(*device_, target, oracle(rules.object("oracle")), read_rules(rules));
  }

  TimedGuard guard = guarded ? TimedGuard(*device_, target, repetitions_, verifier ? &*verifier : nullptr, budget_ms)
                             : TimedGuard(*device_, target);
  if (guarded) target.arm();
  SampleOutcome outcome = device_->sample(target, {mode, count, budget_ms, blocked, guard});
  guard.finish();
  if (guarded) kernel_watch().add_load_findings(guard);
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
  if (const std::optional<double> peak = device_->memory_peak_bytes()) result.set("memory_peak_bytes", *peak);
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - started;
  result.set("wall_ms", wall.count()).set("timed_ms", outcome.timed_ms);
  return result;
}

Json Session::profile(const Fields &request) {
  const std::int64_t launches = request.integer("launches", 1, 1 << 20);
  PreparedCase &target = prepared();
  device_->profile(target, launches);
  Json result = Json::object().set("launches", launches);
  if (request.boolean_or("list", false)) {
    AuditReport report;
    device_->audit_launches(target, report);
    if (!report.launches.empty()) result.set("functions", launches_json(report.launches));
    if (!report.notes.empty()) result.set("notes", Json::list(report.notes));
  }
  return result;
}

}  // namespace pawl
