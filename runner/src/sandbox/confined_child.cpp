#include "confined_child.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "guard.hpp"
#include "seccomp_filter.hpp"
#include "system_calls.hpp"

namespace pawl {

namespace {

void report(int fd, const char *line) {
  const std::size_t length = strlen(line);
  if (write(fd, line, length) != static_cast<ssize_t>(length)) _exit(1);
}

[[noreturn]] void fail(int fd, const char *step) {
  char line[64];
  snprintf(line, sizeof line, "failed %s %d\n", step, errno);
  report(fd, line);
  _exit(127);
}

void close_range_of(unsigned first, unsigned last) {
  if (first > last || syscall(SYS_close_range, first, last, 0) == 0) return;
  rlimit limit;
  const unsigned end = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536
                           ? static_cast<unsigned>(limit.rlim_cur)
                           : 65536;
  for (unsigned fd = first; fd <= last && fd < end; fd++) close(static_cast<int>(fd));
}

/** Closes every descriptor but these, which ascend. */
void close_all_but(const int *kept, std::size_t count) {
  unsigned first = 0;
  for (std::size_t i = 0; i < count; i++) {
    const auto fd = static_cast<unsigned>(kept[i]);
    if (fd > first) close_range_of(first, fd - 1);
    first = fd + 1;
  }
  close_range_of(first, ~0u);
}

/** Puts the descriptors where the program expects them; nothing else is left open but the report. */
void place_descriptors(ChildPlan &plan) {
  // Out of the way of all numbers that are wanted first.
  const int base = plan.keep.empty() || plan.keep.back().second < 2 ? 3 : plan.keep.back().second + 1;
  plan.report_fd = fcntl(plan.report_fd, F_DUPFD_CLOEXEC, base);
  for (auto &[from, to] : plan.keep) {
    from = fcntl(from, F_DUPFD_CLOEXEC, base);
    if (from < 0) fail(plan.report_fd, "dup");
  }
  std::size_t count = 0;
  std::size_t next = 0;
  for (int standard = 0; standard <= 2; standard++) {
    plan.kept[count++] = standard;
    if (next < plan.keep.size() && plan.keep[next].second == standard) {
      if (dup2(plan.keep[next++].first, standard) < 0) fail(plan.report_fd, "dup");
      continue;
    }
    const int null = open("/dev/null", standard == 0 ? O_RDONLY : O_WRONLY);
    if (null < 0) fail(plan.report_fd, "open");
    if (null != standard && (dup2(null, standard) < 0 || close(null) < 0)) fail(plan.report_fd, "dup");
  }
  for (; next < plan.keep.size(); next++) {
    if (dup2(plan.keep[next].first, plan.keep[next].second) < 0) fail(plan.report_fd, "dup");
    plan.kept[count++] = plan.keep[next].second;
  }
  plan.kept[count++] = plan.report_fd;
  close_all_but(plan.kept.data(), count);
}

void default_signals() {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < 65; signal++) sigaction(signal, &action, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool limit_resources(const ChildPlan &plan) {
  const rlimit no_core = {0, 0};
  bool limited = setrlimit(RLIMIT_CORE, &no_core) == 0;
  if (plan.memory_bytes != 0 && !plan.devices) {
    const rlimit memory = {plan.memory_bytes, plan.memory_bytes};
    limited &= setrlimit(RLIMIT_AS, &memory) == 0;
  }
  return limited;
}

/** As in most containers. */
bool proc_is_read_only() {
  struct statvfs about;
  return statvfs("/proc/sys", &about) == 0 && (about.f_flag & ST_RDONLY) != 0;
}

struct Surroundings {
  bool netns = false;
  MountResult mounts;
  bool hidden_by_mounts = false;
};

void program(ChildPlan &plan, const Surroundings &around, pid_t guard_pid) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (!plan.pidns && getppid() != guard_pid) _exit(1);
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  setsid();
  place_descriptors(plan);
  if (!plan.cwd.empty() && chdir(plan.cwd.c_str()) != 0) fail(plan.report_fd, "chdir");
  if (plan.rlimits && limit_resources(plan)) report(plan.report_fd, "rlimits\n");
  if (!plan.capabilities && drop_capabilities()) report(plan.report_fd, "no-capabilities\n");
  if (plan.no_new_privs && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) report(plan.report_fd, "no-new-privs\n");
  bool landlock = false;
  if (plan.landlock && plan.landlock_version > 0) {
    // Who is not root cannot change the machine's settings in /proc anyway.
    const bool write_proc = plan.processes && (around.mounts.proc_is_safe || plan.user != 0 || proc_is_read_only());
    landlock = apply_landlock(plan.landlock_version, plan.rules, around.hidden_by_mounts,
                              !plan.network && !around.netns, write_proc);
    char line[32];
    snprintf(line, sizeof line, "landlock-%d\n", plan.landlock_version);
    if (landlock) report(plan.report_fd, line);
  }
  if (!plan.mounts.hidden.empty() && (around.hidden_by_mounts || (landlock && plan.rules.hides)))
    report(plan.report_fd, "hidden\n");
  report(plan.report_fd, "clean-env\n");
  default_signals();
  if (plan.seccomp) {
    CallPolicy calls;
    calls.processes = plan.processes;
    calls.network = plan.network;
    calls.own_network = around.netns;
    calls.guard = plan.pidns ? 0 : guard_pid;
    calls.parent = plan.pidns ? 0 : plan.parent;
    if (apply_seccomp(calls)) report(plan.report_fd, "seccomp\n");
  }
  if (plan.continues) {
    close(plan.report_fd);
    return;
  }
  if (plan.argv[0] == nullptr) _exit(0);
  execve(plan.argv[0], plan.argv.data(), plan.env.data());
  fail(plan.report_fd, "exec");
}

Surroundings enter_namespaces(ChildPlan &plan) {
  Surroundings around;
  if (plan.userns) report(plan.report_fd, "userns\n");
  if (plan.pidns) report(plan.report_fd, "pidns\n");
  if (plan.ipcns && unshare(CLONE_NEWIPC) == 0) report(plan.report_fd, "ipcns\n");
  if (plan.netns && unshare(CLONE_NEWNET) == 0) {
    around.netns = true;
    raise_loopback();
    report(plan.report_fd, "netns\n");
  }
  if (plan.mountns && unshare(CLONE_NEWNS) == 0) {
    plan.mounts.own_processes = plan.pidns;
    around.mounts = change_mounts(plan.mounts);
    around.hidden_by_mounts = around.mounts.hidden;
    report(plan.report_fd, "mountns\n");
    if (around.mounts.read_only) report(plan.report_fd, "read-only\n");
  } else {
    around.hidden_by_mounts = plan.mounts.hidden.empty();
  }
  return around;
}

}  // namespace

void confined_child(ChildPlan &plan) {
  // Process 1 of a namespace takes all others with it; elsewhere the guard must live to kill them. What forked a
  // program that continues ends at once: there the guard sees by `status_fd` that no process is left.
  if (!plan.continues) prctl(PR_SET_PDEATHSIG, plan.pidns ? SIGKILL : SIGTERM, 0, 0, 0);
  if (plan.userns && !map_own_user(plan.user, plan.group)) {
    report(plan.report_fd, "retry\n");
    _exit(0);
  }
  const Surroundings around = enter_namespaces(plan);
  if (!plan.pidns) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  // A process that may not read this one may not see what it was forked from.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  const pid_t self = getpid();
  // Not fork(): it would run what the program's libraries have registered for it. A program that continues has those
  // libraries, and needs just that.
  const auto child = plan.continues ? fork() : static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  if (child < 0) fail(plan.report_fd, "fork");
  if (child == 0) return program(plan, around, self);
  drop_capabilities();
  close_all_but(&plan.status_fd, 1);
  guard(child, plan.status_fd, plan.pidns);
}

}  // namespace pawl
