#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>

#include "sandbox.hpp"

// pawl-sandbox: runs one program confined, for what Node starts itself (compilers of untrusted sources).

namespace {

constexpr int USAGE = 64;
/** As a shell says it: the program was not found, or could not be run. */
constexpr int NOT_RUN = 127;

const char *const HELP =
    "usage: pawl-sandbox [options] -- PROGRAM ARGS...\n"
    "       pawl-sandbox --list\n"
    "\n"
    "Runs PROGRAM confined by what this machine offers, and ends as it ends.\n"
    "\n"
    "  --write FOLDER   may be written below; repeatable\n"
    "  --read PATH      only these, --write and the system's folders may be read; repeatable\n"
    "  --hide PATH      its contents must not be read; repeatable\n"
    "  --devices        GPU device files and /dev/shm\n"
    "  --processes      may start programs\n"
    "  --network        may use the network\n"
    "  --memory BYTES   of address space\n"
    "  --without NAME   leave a protection out; repeatable\n"
    "  --report FD      write the protections in force there, as JSON\n"
    "  --list           print the protections that this machine offers, as JSON\n";

struct Call {
  pawl::SandboxPolicy policy;
  int report_fd = -1;
  bool list = false;
  std::vector<std::string> argv;
};

[[noreturn]] void usage_error(const std::string &message) {
  std::cerr << "pawl-sandbox: " << message << "\n" << HELP;
  exit(USAGE);
}

std::uint64_t number(const std::string &option, const std::string &text) {
  char *end = nullptr;
  errno = 0;
  const unsigned long long value = strtoull(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || errno != 0 || text[0] == '-') usage_error(option + " needs a number.");
  return value;
}

Call parse(int argc, char **argv) {
  Call call;
  for (int i = 1; i < argc; i++) {
    const std::string option = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) usage_error(option + " needs a value.");
      return argv[++i];
    };
    if (option == "--") {
      call.argv.assign(argv + i + 1, argv + argc);
      break;
    }
    if (option == "--write") call.policy.writable.push_back(value());
    else if (option == "--read") call.policy.readable.push_back(value());
    else if (option == "--hide") call.policy.hidden.push_back(value());
    else if (option == "--without") call.policy.without.push_back(value());
    else if (option == "--devices") call.policy.devices = true;
    else if (option == "--processes") call.policy.processes = true;
    else if (option == "--network") call.policy.network = true;
    else if (option == "--memory") call.policy.memory_bytes = number(option, value());
    else if (option == "--report") call.report_fd = static_cast<int>(number(option, value()));
    else if (option == "--list") call.list = true;
    else if (option == "--help") {
      std::cout << HELP;
      exit(0);
    } else usage_error("unknown option " + option + ".");
  }
  if (!call.list && call.argv.empty()) usage_error("no program was given after --.");
  return call;
}

std::string json(const std::vector<std::string> &protections) {
  std::string text = "{\"protections\":[";
  // Names are letters, digits and hyphens.
  for (std::size_t i = 0; i < protections.size(); i++) text += (i == 0 ? "\"" : ",\"") + protections[i] + "\"";
  return text + "]}\n";
}

/** The program by PATH, as execvp() would find it. */
std::string found(const std::string &program) {
  if (program.find('/') != std::string::npos) return program;
  const char *path = getenv("PATH");
  std::string folders = path == nullptr ? "/usr/bin:/bin" : path;
  for (std::size_t start = 0; start <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', start), folders.size());
    const std::string candidate = folders.substr(start, end - start) + "/" + program;
    if (end > start && access(candidate.c_str(), X_OK) == 0) return candidate;
    start = end + 1;
  }
  return program;
}

/** Ends as the program ended: with its code, or by its signal. */
[[noreturn]] void end_like(int status) {
  if (WIFEXITED(status)) exit(WEXITSTATUS(status));
  const int signal_number = WTERMSIG(status);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(signal_number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal_number);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal_number);
  exit(128 + signal_number);
}

int run(const Call &call) {
  std::vector<std::string> env;
  for (char **one = environ; *one != nullptr; one++) env.push_back(*one);
  std::vector<std::string> argv = call.argv;
  argv[0] = found(argv[0]);
  // Asked to end, it first ends what it runs.
  sigset_t asked;
  sigemptyset(&asked);
  for (const int signal_number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) sigaddset(&asked, signal_number);
  sigprocmask(SIG_BLOCK, &asked, nullptr);
  const int signals = signalfd(-1, &asked, SFD_CLOEXEC);
  const pawl::Spawned spawned = pawl::spawn_confined(call.policy, argv, env, "", {{0, 0}, {1, 1}, {2, 2}});
  if (call.report_fd >= 0) {
    const std::string text = json(spawned.protections);
    if (write(call.report_fd, text.data(), text.size()) < 0) perror("pawl-sandbox: --report");
    close(call.report_fd);
  }
  pollfd watched[2] = {{spawned.status_fd, POLLIN, 0}, {signals, POLLIN, 0}};
  while (poll(watched, 2, -1) < 0 && errno == EINTR) continue;
  int status = 0;
  const bool ended = watched[0].revents != 0 && read(spawned.status_fd, &status, sizeof status) == sizeof status;
  pawl::end_confined(spawned.pid);
  if (ended) end_like(status);
  signalfd_siginfo info;
  if (watched[1].revents != 0 && read(signals, &info, sizeof info) == sizeof info)
    end_like(static_cast<int>(info.ssi_signo));
  end_like(SIGKILL);
}

}  // namespace

int main(int argc, char **argv) {
  const Call call = parse(argc, argv);
  try {
    if (!call.list) return run(call);
    std::cout << json(pawl::available_protections());
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "pawl-sandbox: " << error.what() << "\n";
    return NOT_RUN;
  }
}
