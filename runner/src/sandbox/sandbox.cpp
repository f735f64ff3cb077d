#include "sandbox.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "confined_child.hpp"
#include "descendants.hpp"
#include "system_calls.hpp"

namespace pawl {

namespace {

/** How long a guard may take to end what it guards before it is done without it. */
constexpr int GRACE_MS = 900;

[[noreturn]] void system_error(const std::string &what, int error) {
  throw std::runtime_error(what + ": " + strerror(error));
}

struct Descriptor {
  int fd = -1;
  ~Descriptor() { reset(); }
  void reset() {
    if (fd >= 0) close(fd);
    fd = -1;
  }
};

std::vector<char *> pointers(const std::vector<std::string> &texts) {
  std::vector<char *> all;
  for (const std::string &text : texts) all.push_back(const_cast<char *>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

ChildPlan plan_of(const SandboxPolicy &policy, const std::vector<std::string> &argv,
                  const std::vector<std::string> &env, const std::string &cwd,
                  std::vector<std::pair<int, int>> keep) {
  const auto wanted = [&](const char *name) {
    return std::find(policy.without.begin(), policy.without.end(), name) == policy.without.end();
  };
  std::sort(keep.begin(), keep.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
  ChildPlan plan;
  plan.no_new_privs = wanted("no-new-privs");
  plan.landlock = wanted("landlock");
  plan.seccomp = wanted("seccomp");
  plan.netns = !policy.network && wanted("netns");
  plan.mountns = wanted("mountns");
  plan.ipcns = wanted("ipcns");
  plan.rlimits = wanted("rlimits");
  plan.devices = policy.devices;
  plan.processes = policy.processes;
  plan.network = policy.network;
  plan.capabilities = !wanted("no-capabilities");
  plan.memory_bytes = policy.memory_bytes;
  plan.landlock_version = plan.landlock ? landlock_abi() : 0;
  plan.rules = landlock_rules(policy);
  plan.mounts.own_shared_memory = !policy.devices;
  plan.mounts.read_only = plan.landlock_version == 0 && wanted("read-only");
  plan.mounts.hidden = policy.hidden;
  plan.mounts.writable = policy.writable;
  plan.argv = pointers(argv);
  plan.env = pointers(env);
  plan.cwd = cwd;
  plan.kept.resize(keep.size() + 4);
  plan.keep = std::move(keep);
  plan.user = geteuid();
  plan.group = getegid();
  plan.parent = getpid();
  return plan;
}

/** Which namespaces to ask for with the fork, best first. Root can do without one for users, containers cannot. */
std::vector<int> attempts(const SandboxPolicy &policy) {
  const auto without = [&](const char *name) {
    return std::find(policy.without.begin(), policy.without.end(), name) != policy.without.end();
  };
  std::vector<int> all;
  if (geteuid() == 0) all.push_back(CLONE_NEWPID);
  all.insert(all.end(), {CLONE_NEWUSER | CLONE_NEWPID, CLONE_NEWUSER, 0});
  const int forbidden = (without("userns") ? CLONE_NEWUSER : 0) | (without("pidns") ? CLONE_NEWPID : 0);
  all.erase(std::remove_if(all.begin(), all.end(), [&](int flags) { return (flags & forbidden) != 0; }), all.end());
  return all;
}

std::string read_all(int fd) {
  std::string text;
  char chunk[512];
  for (;;) {
    const ssize_t got = read(fd, chunk, sizeof chunk);
    if (got > 0) text.append(chunk, static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR) return text;
  }
}

/** What the child reported, or nothing when it wants another attempt. Throws what it failed at. */
std::optional<std::vector<std::string>> protections_of(const std::string &report, const std::string &program) {
  std::vector<std::string> protections;
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    if (line == "retry") return std::nullopt;
    if (line.compare(0, 7, "failed ") != 0) {
      protections.push_back(line);
      continue;
    }
    std::istringstream words(line);
    std::string failed, step;
    int error = 0;
    words >> failed >> step >> error;
    system_error("cannot run " + program + " (" + step + ")", error);
  }
  if (std::find(protections.begin(), protections.end(), "clean-env") == protections.end())
    throw std::runtime_error("cannot run " + program + ": it ended while it was being confined");
  return protections;
}

/** One attempt; nothing when its namespaces cannot be had. */
std::optional<Spawned> attempt(ChildPlan &plan, int flags, const std::string &program) {
  int report[2], status[2];
  if (pipe2(report, O_CLOEXEC) != 0) system_error("pipe", errno);
  Descriptor report_in{report[0]}, report_out{report[1]};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, status) != 0) system_error("socketpair", errno);
  Descriptor ours{status[0]}, childs{status[1]};
  plan.userns = (flags & CLONE_NEWUSER) != 0;
  plan.pidns = (flags & CLONE_NEWPID) != 0;
  plan.report_fd = report_out.fd;
  plan.status_fd = childs.fd;
  // No handler of this program may run in the child.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const auto pid = static_cast<pid_t>(syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0));
  const int error = errno;
  if (pid == 0) {
    confined_child(plan);
    // In a program that continues: other descriptors have these numbers now.
    report_in.fd = report_out.fd = ours.fd = childs.fd = -1;
    return Spawned{0, -1, {}};
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) {
    if (flags != 0) return std::nullopt;
    system_error("fork", error);
  }
  report_out.reset();
  childs.reset();
  std::optional<std::vector<std::string>> protections;
  try {
    protections = protections_of(read_all(report_in.fd), program);
  } catch (...) {
    end_confined(pid);
    throw;
  }
  if (!protections) {
    end_confined(pid);
    return std::nullopt;
  }
  Spawned spawned{pid, ours.fd, std::move(*protections)};
  ours.fd = -1;
  return spawned;
}

Spawned start(ChildPlan plan, const SandboxPolicy &policy) {
  const std::string program = plan.argv[0] == nullptr ? "nothing" : plan.argv[0];
  for (const int flags : attempts(policy)) {
    std::optional<Spawned> spawned = attempt(plan, flags, program);
    if (spawned) return *spawned;
  }
  throw std::runtime_error("no process could be started");
}

/** Waits until the child is collected, at most so long. */
bool collected(pid_t pid, int limit_ms) {
  for (int waited_us = 0;; waited_us += 500) {
    const pid_t got = waitpid(pid, nullptr, WNOHANG | __WALL);
    if (got == pid || (got < 0 && errno == ECHILD && kill(pid, 0) != 0)) return true;
    if (waited_us >= limit_ms * 1000) return false;
    usleep(500);
  }
}

}  // namespace

Spawned spawn_confined(const SandboxPolicy &policy, const std::vector<std::string> &argv,
                       const std::vector<std::string> &env, const std::string &cwd,
                       const std::vector<std::pair<int, int>> &keep) {
  if (argv.empty()) throw std::runtime_error("no program to run was given");
  return start(plan_of(policy, argv, env, cwd, keep), policy);
}

Spawned continue_confined(const SandboxPolicy &policy, pid_t parent, const std::string &cwd,
                          const std::vector<std::pair<int, int>> &keep) {
  ChildPlan plan = plan_of(policy, {}, {}, cwd, keep);
  plan.continues = true;
  plan.parent = parent;
  return start(std::move(plan), policy);
}

void end_confined(pid_t pid) {
  // A guard ends what it guards; only one that is stopped or starved does not.
  kill(pid, SIGTERM);
  while (!collected(pid, GRACE_MS)) {
    kill_descendants(pid);
    kill(pid, SIGKILL);
  }
}

std::vector<std::string> available_protections() {
  SandboxPolicy strictest;
  const Spawned spawned = start(plan_of(strictest, {}, {}, "/", {}), strictest);
  end_confined(spawned.pid);
  close(spawned.status_fd);
  return spawned.protections;
}

}  // namespace pawl
