/** The native runner: see docs/protocol.md. It is started by Pawl, never by hand. */
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include <sys/prctl.h>
#include <unistd.h>

#include "channel.hpp"
#include "device.hpp"
#include "session.hpp"

namespace {

constexpr int REQUESTS = 3;
constexpr int ANSWERS = 4;
constexpr int EX_USAGE = 64;  // sysexits.h
/** A kernel's destructors get this long at the end; the orchestrator waits 2 s before it kills. */
constexpr unsigned EXIT_GRACE_S = 1;

}  // namespace

int main(int argc, char **argv) {
  if (argc > 1) {
    const bool version = std::strcmp(argv[1], "--version") == 0;
    std::fprintf(version ? stdout : stderr, "pawl-runner protocol 1, devices: cpu%s\n",
                 pawl::make_cuda_device != nullptr ? " cuda" : "");
    return version ? 0 : EX_USAGE;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_IGN);
  // What a kernel printed before it crashed is what explains the crash.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  try {
    pawl::Channel channel(REQUESTS, ANSWERS);
    channel.end_process_with_reader();
    const int status = pawl::Session(channel).serve();
    // exit, not _exit: profilers write their results in exit handlers.
    std::signal(SIGALRM, SIG_DFL);
    alarm(EXIT_GRACE_S);
    std::exit(status);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "pawl-runner: %s; requests come on descriptor 3 and answers go to 4 (docs/protocol.md)\n",
                 error.what());
    return EX_USAGE;
  }
}
