#include "candidate.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "answer_fields.hpp"
#include "error.hpp"
#include "sandbox/followed.hpp"
#include "sealed_file.hpp"
#include "watch/child_processes.hpp"

namespace pawl {
namespace {

/** A profiler's and a sanitizer's exit handlers get this long at the end, and longer where they are known to be there. */
constexpr int EXIT_GRACE_MS = 1500, FOLLOWED_GRACE_MS = 10000;
/** The descriptor at which a candidate finds its socket. */
constexpr int CANDIDATE_SOCKET = 3;

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

}  // namespace pawl
