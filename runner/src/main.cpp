/**
 * The judge and its candidate: see docs/protocol.md. Started by Pawl it is the judge; the judge starts it once more, in
 * a sandbox, as the process that loads the kernel.
 */
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "candidate/native_kernel.hpp"
#include "candidate/serve.hpp"
#include "channel.hpp"
#include "device.hpp"
#include "session.hpp"

namespace {

constexpr int CANDIDATE_SOCKET = 3;
constexpr int REQUESTS = 3;
constexpr int ANSWERS = 4;
constexpr int EX_USAGE = 64;  // sysexits.h
/** A kernel's destructors get this long at the end; the orchestrator waits 2 s before it kills. */
constexpr unsigned EXIT_GRACE_S = 1;

int candidate_main() {
  // What a kernel printed before it crashed is what explains the crash.
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  pawl::Wire wire(CANDIDATE_SOCKET);
  fcntl(CANDIDATE_SOCKET, F_SETFD, FD_CLOEXEC);
  pawl::NativeKernel kernel;
  const int status = pawl::serve_candidate(wire, kernel);
  // exit, not _exit: profilers write their results in exit handlers.
  std::signal(SIGALRM, SIG_DFL);
  alarm(EXIT_GRACE_S);
  std::exit(status);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "candidate") == 0) return candidate_main();
  if (argc > 1) {
    const bool version = std::strcmp(argv[1], "--version") == 0;
    std::fprintf(version ? stdout : stderr, "pawl-judge protocol 2, devices: cpu%s\n",
                 pawl::make_cuda_device != nullptr ? " cuda" : "");
    return version ? 0 : EX_USAGE;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    pawl::Channel channel(REQUESTS, ANSWERS);
    channel.end_process_with_reader();
    return pawl::Session(channel).serve();
  } catch (const std::exception &error) {
    std::fprintf(stderr, "pawl-judge: %s; requests come on descriptor 3 and answers go to 4 (docs/protocol.md)\n",
                 error.what());
    return EX_USAGE;
  }
}
