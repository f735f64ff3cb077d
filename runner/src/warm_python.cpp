#include "warm_python.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <exception>

#include "fields.hpp"
#include "warm_requests.hpp"

namespace pawl {
namespace {

/** Everything: it runs the same code as the judge's own, and has to confine its copies. */
SandboxPolicy unconfined() {
  SandboxPolicy policy;
  policy.devices = policy.processes = policy.network = true;
  policy.without = {"no-new-privs", "no-capabilities", "landlock", "seccomp", "userns",   "pidns",
                    "netns",        "mountns",         "ipcns",    "rlimits", "read-only"};
  return policy;
}

}  // namespace

WarmPython::WarmPython(std::vector<std::string> command, std::vector<std::string> environment)
    : command_(std::move(command)), environment_(std::move(environment)) {}

void WarmPython::start() {
  int ends[2];
  if (is_started_) return;
  is_started_ = true;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  wire_ = std::make_unique<Wire>(ends[0]);
  std::vector<std::string> words = command_;
  words.push_back("warm");
  try {
    spawned_ = spawn_confined(unconfined(), words, environment_, "/", {{ends[1], WARM_SOCKET}});
  } catch (const std::exception &) {
    // Each candidate is then started by itself, and says what is wrong.
    wire_.reset();
  }
  close(ends[1]);
  for (const std::string &framework : frameworks_) tell_import(framework);
}

WarmPython::~WarmPython() { end(); }

void WarmPython::end() {
  wire_.reset();
  if (spawned_.pid < 0) return;
  end_confined(spawned_.pid);
  close(spawned_.status_fd);
  spawned_ = Spawned{-1, -1, {}};
}

void WarmPython::import(const std::string &framework) {
  if (std::find(frameworks_.begin(), frameworks_.end(), framework) != frameworks_.end()) return;
  frameworks_.push_back(framework);
  tell_import(framework);
}

void WarmPython::tell_import(const std::string &framework) {
  if (wire_ != nullptr) wire_->send(Json::object().set("op", "import").set("module", framework));
}

std::optional<Spawned> WarmPython::copy(const SandboxPolicy &policy, const std::vector<std::string> &environment,
                                        const std::string &folder, const std::vector<std::pair<int, int>> &keep) {
  start();
  if (wire_ == nullptr) return std::nullopt;
  for (const auto &[from, to] : keep) wire_->send(Json::object().set("op", "keep").set("as", to), from);
  wire_->send(Json::object()
                  .set("op", "copy")
                  .set("policy", policy_json(policy))
                  .set("environment", Json::list(environment))
                  .set("folder", folder)
                  .set("parent", static_cast<std::int64_t>(getpid())));
  try {
    if (const std::optional<Parcel> answer = wire_->receive()) {
      const Fields fields(answer->body, "a copy");
      if (fields.has("pid") && answer->descriptor >= 0) {
        Spawned copy{static_cast<pid_t>(fields.integer("pid", 1)), answer->descriptor, {}};
        for (const Json &name : fields.array("protections")) copy.protections.push_back(name.string());
        return copy;
      }
    }
  } catch (const std::exception &) {
    // As if it were gone.
  }
  end();
  return std::nullopt;
}

}  // namespace pawl
