#include "followed.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>

namespace pawl {
namespace {

/** Above every number that a child wants a descriptor at. */
constexpr int OUT_OF_THE_WAY = 64;

std::vector<char *> terminated(const std::vector<std::string> &texts) {
  std::vector<char *> list;
  for (const std::string &text : texts) list.push_back(const_cast<char *>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

/** In the child, where only what is safe after a fork is called. */
[[noreturn]] void become(char *const *argv, char *const *env, const char *cwd, pid_t parent,
                         std::vector<std::pair<int, int>> &keep) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != parent) _exit(1);
  for (auto &[from, to] : keep) from = fcntl(from, F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
  for (const auto &[from, to] : keep)
    if (from < 0 || dup2(from, to) < 0) _exit(127);
  if (*cwd != '\0' && chdir(cwd) != 0) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execve(argv[0], argv, env);
  _exit(127);
}

}  // namespace

Spawned spawn_followed(const std::vector<std::string> &argv, const std::vector<std::string> &env,
                       const std::string &cwd, const std::vector<std::pair<int, int>> &keep) {
  if (argv.empty()) throw std::runtime_error("no program to run was given");
  const std::vector<char *> words = terminated(argv), variables = terminated(env);
  std::vector<std::pair<int, int>> kept = keep;
  int status[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, status) != 0)
    throw std::runtime_error(std::string("socketpair: ") + std::strerror(errno));
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) become(words.data(), variables.data(), cwd.c_str(), parent, kept);
  if (pid < 0) {
    const int error = errno;
    close(status[0]);
    close(status[1]);
    throw std::runtime_error(std::string("fork: ") + std::strerror(error));
  }
  // What a guard does elsewhere: it tells how the program ended. It is not collected here, or `end_confined` might
  // signal another process that has its number by then.
  std::thread([pid, fd = status[1]] {
    siginfo_t about{};
    int waited = 0;
    do waited = waitid(P_PID, static_cast<id_t>(pid), &about, WEXITED | WNOWAIT);
    while (waited != 0 && errno == EINTR);
    const int ended = about.si_code == CLD_EXITED ? about.si_status << 8 : about.si_status;
    if (waited == 0 && send(fd, &ended, sizeof ended, MSG_NOSIGNAL) < 0) waited = -1;
    close(fd);
  }).detach();
  return {pid, status[0], {}};
}

}  // namespace pawl
