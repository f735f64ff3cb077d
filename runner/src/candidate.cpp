#include "candidate.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error.hpp"
#include "sandbox/followed.hpp"
#include "sealed_file.hpp"
#include "watch/child_processes.hpp"

namespace pawl {
namespace {

using Clock = std::chrono::steady_clock;

/** Empty runs that tell what a round trip costs; the first few wake everything up. */
constexpr int WARM_UPS = 2, ROUND_TRIPS = 20;
/** Of those after a rest: about as long as it takes to prepare a call, and as a call takes. */
constexpr double REST_MS = 1;
constexpr std::size_t LASTING = 10;
/** A profiler's and a sanitizer's exit handlers get this long at the end, and longer where they are known to be there. */
constexpr int EXIT_GRACE_MS = 1500, FOLLOWED_GRACE_MS = 10000;
/** The descriptor at which a candidate finds its socket. */
constexpr int CANDIDATE_SOCKET = 3;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double number_in(const Json &answer, const char *name) {
  const Json *value = answer.find(name);
  return value != nullptr && value->kind() == Json::Kind::number ? value->number() : 0;
}

std::string text_in(const Json &answer, const char *name) {
  const Json *value = answer.find(name);
  return value != nullptr && value->kind() == Json::Kind::string ? value->string() : "";
}

bool true_in(const Json &answer, const char *name) {
  const Json *value = answer.find(name);
  return value != nullptr && value->kind() == Json::Kind::boolean && value->boolean();
}

/** Codes that a candidate may answer with; what became of its process is not its to say. */
bool may_say(const std::string &code) {
  for (const char *known : {"bad-request", "load-failed", "module-missing", "out-of-memory", "kernel-failed",
                            "device-error", "device-lost", "unsupported", "internal"})
    if (code == known) return true;
  return false;
}

const char *signal_name(int signal) {
  switch (signal) {
    case SIGSEGV: return "SEGV";
    case SIGABRT: return "ABRT";
    case SIGFPE: return "FPE";
    case SIGILL: return "ILL";
    case SIGBUS: return "BUS";
    case SIGKILL: return "KILL";
    case SIGTERM: return "TERM";
    case SIGTRAP: return "TRAP";
    case SIGSYS: return "SYS";
    case SIGXCPU: return "XCPU";
    default: return "NAL of another kind";
  }
}

SandboxPolicy policy_of(const CandidateStart &start) {
  SandboxPolicy policy;
  if (!start.scratch.empty()) policy.writable = {start.scratch};
  policy.devices = start.cuda;
  // Allowed, contained and reported (`helper-process`): frameworks compile with programs of their own.
  policy.processes = true;
  if (!start.confined)
    policy.without = {"no-new-privs", "no-capabilities", "landlock", "seccomp", "userns",   "pidns",
                      "netns",        "mountns",         "ipcns",    "rlimits", "read-only"};
  return policy;
}

/** The program that a guard watches over: its only child, as long as no kernel code runs. */
pid_t program_of(pid_t guard) {
  for (const int pid : descendants(guard)) return pid;
  return guard;
}

}  // namespace

Candidate::Candidate(const Sharing &sharing, CandidateStart start) : sharing_(sharing), start_(std::move(start)) {
  begin();
}

Candidate::Candidate(const Sharing &sharing, CandidateStart start, Ahead) : sharing_(sharing), start_(std::move(start)) {
  launch();
}

std::unique_ptr<Candidate> Candidate::ahead(const Sharing &sharing, CandidateStart start) {
  return std::unique_ptr<Candidate>(new Candidate(sharing, std::move(start), Ahead{}));
}

Candidate::~Candidate() { end(); }

void Candidate::begin() {
  launch();
  await_start();
  round_trip_ = measure_round_trip();
}

void Candidate::take(Json code, std::string sha256) {
  start_.code = std::move(code);
  start_.sha256 = std::move(sha256);
  round_trip_ = measure_round_trip();
}

void Candidate::launch() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw RunnerError("internal", std::string("no socket for the candidate: ") + std::strerror(errno));
  wire_ = std::make_unique<Wire>(ends[0]);
  output_ = std::make_unique<OutputRelay>();
  before_ = sharing_.processes();
  try {
    const std::vector<std::pair<int, int>> keep{
        {output_->standard_output(), 1}, {output_->standard_error(), 2}, {ends[1], CANDIDATE_SOCKET}};
    std::optional<Spawned> copy;
    if (start_.warm != nullptr) copy = start_.warm->copy(policy_of(start_), start_.environment, start_.folder, keep);
    if (copy)
      spawned_ = *std::move(copy);
    else
      spawned_ = start_.followed
                     ? spawn_followed(start_.command, start_.environment, start_.folder, keep)
                     : spawn_confined(policy_of(start_), start_.command, start_.environment, start_.folder, keep);
  } catch (const std::exception &error) {
    close(ends[1]);
    throw RunnerError("load-failed", std::string("the kernel's process could not be started: ") + error.what());
  }
  close(ends[1]);
  output_->close_candidates_ends();
  starting_ = true;
  // Who cannot be told is found out when its answer is waited for.
  wire_->send(Json::object()
                  .set("op", "start")
                  .set("device", start_.cuda ? "cuda" : "cpu")
                  .set("device_index", start_.device_index)
                  .set("cpus", Json::list(start_.cpus))
                  .set("sanitized", start_.sanitized));
}

void Candidate::await_start() {
  if (!starting_) return;
  starting_ = false;
  answer();
  pid_ = program_of(spawned_.pid);
  sharing_.candidate_started(before_);
}

void Candidate::begin_end() {
  // Elsewhere nothing that is written at the end is read, and a framework takes 0.3 s to end by itself.
  if (spawned_.pid < 0 || has_last_word()) return;
  kill(spawned_.pid, SIGTERM);
  wire_.reset();
  pid_ = -1;
}

void Candidate::end() {
  if (spawned_.pid < 0) return;
  if (has_last_word()) {
    wire_->send(Json::object().set("op", "quit"));
    thaw();
    pollfd ended{spawned_.status_fd, POLLIN, 0};
    poll(&ended, 1, start_.followed ? FOLLOWED_GRACE_MS : EXIT_GRACE_MS);
  }
  bury();
}

void Candidate::bury() {
  end_confined(spawned_.pid);
  close(spawned_.status_fd);
  spawned_ = Spawned{-1, -1, {}};
  pid_ = -1;
  // Everything that could print has ended: what it said last is passed on.
  output_.reset();
  wire_.reset();
}

std::vector<double> Candidate::excesses_ms(bool rested, double lasting_ms) {
  std::vector<double> excess;
  for (int i = 0; i < WARM_UPS + ROUND_TRIPS; ++i) {
    Run nothing;
    nothing.repeat = 0;
    nothing.bare = true;
    nothing.lasting_ms = lasting_ms;
    if (rested) nothing.sets.assign(LASTING, 0);
    if (!start_.cuda) freeze();
    sharing_.stir();
    // By waiting, not by sleeping: the judge is at work before an interval, and its candidate is not.
    for (const auto from = Clock::now(); rested && milliseconds_since(from) < REST_MS;) continue;
    const RunOutcome outcome = run(nothing);
    if (i >= WARM_UPS) excess.push_back(outcome.outside_ms - outcome.inside_ms);
  }
  std::sort(excess.begin(), excess.end());
  return excess;
}

RoundTrip Candidate::measure_round_trip() {
  RoundTrip best;
  // On a busy machine most round trips wait for a CPU. What one costs by itself is what the quicker ones take.
  for (int attempt = 0; attempt < 2; ++attempt) {
    const std::vector<double> excess = excesses_ms();
    const RoundTrip found{excess[excess.size() / 4], excess[excess.size() * 9 / 10]};
    if (attempt == 0 || found.typical_ms < best.typical_ms) best = found;
    if (best.high_ms < 3 * best.typical_ms) break;
  }
  return best;
}

double Candidate::quick_share(double limit_ms, double lasting_ms) {
  // By an empty candidate of its own: this one holds kernel code, which could be slow on purpose.
  CandidateStart empty = start_;
  empty.scratch.clear();
  Candidate other(sharing_, empty);
  const std::vector<double> excess = other.excesses_ms(false, lasting_ms);
  const auto quick = std::count_if(excess.begin(), excess.end(), [limit_ms](double ms) { return ms <= limit_ms; });
  return static_cast<double>(quick) / static_cast<double>(excess.size());
}

double Candidate::rested_round_trip_ms() {
  CandidateStart empty = start_;
  empty.scratch.clear();
  Candidate other(sharing_, empty);
  const std::vector<double> excess = other.excesses_ms(true);
  // Not their middle: what a busy machine adds to most of them is looked for elsewhere (`quick_share`).
  return excess[excess.size() / 4];
}

void Candidate::freeze() {
  frozen_ = pid_ > 0 && kill(pid_, SIGSTOP) == 0;
}

void Candidate::thaw() {
  if (frozen_ && pid_ > 0) kill(pid_, SIGCONT);
  frozen_ = false;
}

Json Candidate::ask(Json request, int descriptor) {
  if (wire_ == nullptr) throw RunnerError("exited", "the kernel's process has ended");
  if (!wire_->send(request, descriptor)) died();
  // Not before: its threads would have the time in which a request is made for themselves.
  thaw();
  return answer();
}

Json Candidate::answer() {
  std::optional<Parcel> parcel;
  try {
    parcel = wire_->receive();
  } catch (const JsonError &error) {
    throw RunnerError("forged", std::string("kernel code wrote to the judge's socket: ") + error.what());
  }
  if (!parcel) died();
  if (parcel->descriptor >= 0) close(parcel->descriptor);
  const Json &body = parcel->body;
  if (true_in(body, "ok")) return std::move(parcel->body);
  const std::string code = text_in(body, "code");
  if (!may_say(code)) throw RunnerError("forged", "kernel code wrote to the judge's socket: " + body.text().substr(0, 80));
  throw RunnerError(code, text_in(body, "message"));
}

void Candidate::died() {
  // It may have closed its socket only: then it is as good as gone.
  pollfd ended{spawned_.status_fd, POLLIN, 0};
  int status = SIGKILL;
  if (poll(&ended, 1, EXIT_GRACE_MS) > 0 && read(spawned_.status_fd, &status, sizeof status) != sizeof status) status = SIGKILL;
  bury();
  if (WIFSIGNALED(status))
    throw RunnerError("crashed", std::string("the kernel's process was ended by SIG") + signal_name(WTERMSIG(status)));
  throw RunnerError("exited", "the kernel's process ended by itself with code " + std::to_string(WEXITSTATUS(status)));
}

Json Candidate::load() {
  Json request = start_.code;
  request.set("op", "load");
  int descriptor = -1;
  // Debuggers and sanitizers want the file itself, with its name.
  if (const Json *library = start_.code.find("library"); library != nullptr && start_.confined && !start_.sanitized) {
    descriptor = open_sealed(library->string(), start_.sha256);
    struct stat status {};
    if (fstat(descriptor, &status) == 0) given_.insert(static_cast<std::uint64_t>(status.st_ino));
  }
  try {
    Json answer = ask(std::move(request), descriptor);
    if (descriptor >= 0) close(descriptor);
    loaded_ = true;
    return answer;
  } catch (...) {
    if (descriptor >= 0) close(descriptor);
    throw;
  }
}

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
  const auto begun = Clock::now();
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
  const auto begun = Clock::now();
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

void Candidate::replace() {
  begin();
  if (loaded_) load();
  const std::vector<Handed> before = std::move(handed_);
  handed_.clear();
  for (const Handed &handed : before) {
    const auto [descriptor, bytes] = sharing_.shared(handed.memory);
    ask(Json::object().set("op", "map").set("memory", handed.number).set("bytes", static_cast<std::uint64_t>(bytes)),
        descriptor);
    handed_.push_back(handed);
  }
  if (case_) ask(*case_);
  if (workspace_) ask(*workspace_);
  for (const Json &one : prepared_) ask(one);
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
