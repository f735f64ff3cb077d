// A session's candidate: what it is started with, from `open` to `close`.
#include <unistd.h>

#include "error.hpp"
#include "kept_objects.hpp"
#include "named_framework.hpp"
#include "session.hpp"

namespace pawl {
namespace {

constexpr int PROTOCOL = 2;

/** The program that this process runs, for a process of its own kind. */
std::string own_program() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0) throw RunnerError("internal", "the path of this program is not known");
  return std::string(path, static_cast<std::size_t>(length));
}

}  // namespace

CandidateStart Session::candidate_start(const Fields &request, bool cuda) {
  const Fields kernel = request.object("kernel");
  CandidateStart start;
  python_.reset();
  start.cuda = cuda;
  start.device_index = static_cast<int>(request.integer("device_index", 0, 1 << 16));
  start.cpus = device_->cpus();
  start.sanitized = request.boolean_or("sanitized", false);
  start.confined = request.boolean_or("confined", true);
  start.followed = !start.confined && request.boolean_or("followed", false);
  if (kernel.has("module")) {
    for (const Json &word : request.object("candidate").array("command")) start.command.push_back(word.string());
    start.code = PythonFunction::code(kernel, kernel.text("function"), "kernel");
    if (cuda) start.code.set("device_index", start.device_index);
  } else {
    start.command = {own_program(), "candidate"};
    if (request.has("candidate")) {
      python_ = start;
      python_->command.clear();
      for (const Json &word : request.object("candidate").array("command")) python_->command.push_back(word.string());
    }
    start.code = Json::object()
                     .set("library", kernel.text("library"))
                     .set("function", kernel.text_or("function", "pawl_run"));
    if (const Json *prepare = kernel.find("prepare")) start.code.set("prepare", *prepare);
    if (kernel.has("sha256")) start.sha256 = kernel.text("sha256");
  }
  if (start.confined && oracle_scratch_.path().empty()) oracle_scratch_.create();
  if (const Json *variables = request.find("env")) start.variables = *variables;
  if (kernel.has("module")) python_ = start;
  serving_ = CandidateStart{};
  serving_.command = {own_program(), "candidate"};
  serving_.device_index = start.device_index;
  serving_.confined = start.confined;
  serving_.scratch = oracle_scratch_.path();
  serving_.environment = oracle_scratch_.environment(start.cpus.size());
  if (python_) {
    python_->scratch = serving_.scratch;
    python_->environment = serving_.environment;
    const bool as_copy = kernel.has("module") && request.boolean_or("warm", false);
    if (framework_.empty() && as_copy) framework_ = named_framework(kernel.text("module"));
    // On a GPU everything in Python has PyTorch.
    keep_warm(cuda ? "torch" : framework_);
    if (cuda && warm_ != nullptr) warm_->start();
    if (as_copy) start.warm = python_->warm;
  }
  return start;
}

void Session::keep_warm(const std::string &framework) {
  if (framework.empty() || !python_ || !python_->confined || python_->sanitized) return;
  if (warm_ == nullptr || !warm_->starts_as(python_->command, python_->environment))
    warm_ = std::make_shared<WarmPython>(python_->command, python_->environment);
  warm_->import(framework);
  python_->warm = warm_;
}

void Session::take_device(bool cuda, int index, int threads) {
  if (device_ != nullptr && (device_->stream() != nullptr) == cuda && index == device_index_ && threads == threads_) return;
  // These processes have memory of the device.
  ahead_.drop();
  oracles_.clear();
  functions_.clear();
  device_.reset();
  device_ = cuda ? make_cuda_device(index) : make_cpu_device(threads);
  device_index_ = index;
  threads_ = threads;
}

void Session::close() {
  // It ends while the memory that it shared is freed.
  if (candidate_ != nullptr) candidate_->begin_end();
  timed_.reset();
  prepared_.reset();
  generator_.reset();
  kept_ = {};
  watch_.reset();
  candidate_.reset();
  next_.reset();
  // Nothing writes there any more.
  if (scratch_ != nullptr && !objects_.empty()) keep_objects(scratch_->path(), objects_);
  scratch_.reset();
  if (device_ == nullptr) return;
  device_->leave_place();
  device_->candidate_ended();
}

Json Session::open(const Fields &request) {
  if (candidate_ != nullptr) bad_request("`open` comes once, or after `close`");
  const std::int64_t protocol = request.integer("protocol", 0);
  if (protocol != PROTOCOL)
    throw RunnerError("unsupported", "this judge speaks protocol 2, and was asked for " + std::to_string(protocol) +
                                         ": Pawl and its judge are of different versions");
  PhaseClock phases;
  const bool cuda = request.choice("device", {"cpu", "cuda"}) == 1;
  const auto index = static_cast<int>(request.integer("device_index", 0, 1 << 16));
  const auto threads = static_cast<int>(request.integer("threads", 1, 1 << 16));
  // compute-sanitizer knows the ends of allocations, AddressSanitizer those of what it is told.
  guard_ = !request.boolean_or("sanitized", false) ? Guard::canaries : cuda ? Guard::none : Guard::fenced;
  if (cuda && make_cuda_device == nullptr)
    throw RunnerError("unsupported", "this judge was built without CUDA; pawl-judge-cuda has it");

  take_device(cuda, index, threads);
  objects_ = request.text_or("objects", "");
  prepared_of_.clear();
  if (const Fields kernel = request.object("kernel"); kernel.has("prepare"))
    for (const Json &name : kernel.object("prepare").array("of")) prepared_of_.push_back(name.string());
  const CandidateStart start = candidate_start(request, cuda);
  StartedCandidate started = ahead_.take(start);
  if (started.process == nullptr) started = start_now(*device_, start);
  scratch_ = std::move(started.scratch);
  std::unique_ptr<Candidate> candidate = std::move(started.process);
  auto watch = std::make_unique<CandidateWatch>(*device_, *candidate);
  watch->before_load();
  if (request.boolean_or("ahead", false)) {
    device_->candidate_is_empty();
    next_ = start;
  }
  phases.lap("start");
  // Kernel code runs from here on, over there: a library's constructors are its first.
  const Json told = candidate->load();
  const Json *library = start.code.find("library");
  watch->after_load(library == nullptr ? "" : library->string());
  candidate_ = std::move(candidate);
  watch_ = std::move(watch);
  if (library == nullptr) {
    const Json *framework = told.find("framework");
    framework_ = framework != nullptr && framework->kind() == Json::Kind::string ? framework->string() : "numpy";
    keep_warm(framework_);
  }

  phases.lap("load");

  Json versions = Json::object();
  for (const auto &[name, version] : device_->versions()) versions.set(name, version);
  if (const Json *own = told.find("versions")) versions = *own;
  return Json::object()
      .set("protocol", PROTOCOL)
      .set("runner", library == nullptr ? "python" : "native")
      .set("pid", static_cast<std::int64_t>(candidate_->pid()))
      .set("device", device_->info())
      .set("modes", Json::list(device_->modes()))
      .set("versions", std::move(versions))
      .set("protections", Json::list(candidate_->protections()))
      .set("round_trip_ms", candidate_->round_trip().typical_ms)
      .set("phases_ms", phases.json());
}

}  // namespace pawl
