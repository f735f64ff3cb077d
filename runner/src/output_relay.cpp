#include "output_relay.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace pawl {
namespace {

constexpr int ROUND_MS = 10;
/** A kernel that prints more than this in a round waits for it; Linux gives it to everybody. */
constexpr int PIPE_BYTES = 1 << 20;
constexpr int MOST_CHUNKS = 64;
constexpr char STOP = 's', DRAIN = 'd';
/** The reader of this process's output may be slow; an answer does not wait for it longer than this. */
constexpr std::chrono::milliseconds MOST_DRAINING(200);

void write_all(int descriptor, const char *data, std::size_t bytes) {
  for (std::size_t sent = 0; sent < bytes;) {
    const ssize_t part = write(descriptor, data + sent, bytes - sent);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) return;  // No reader is left; the kernel need not know.
    sent += static_cast<std::size_t>(part);
  }
}

}  // namespace

OutputRelay::OutputRelay() {
  if (pipe2(ends_[0], O_CLOEXEC) != 0 || pipe2(ends_[1], O_CLOEXEC) != 0 || pipe2(asked_, O_CLOEXEC) != 0)
    throw std::runtime_error(std::string("no pipe for what the kernel prints: ") + std::strerror(errno));
  for (const auto &ends : ends_) {
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES);
  }
  thread_ = std::thread([this] { pass_on(); });
}

void OutputRelay::close_candidates_ends() {
  for (auto &ends : ends_) {
    if (ends[1] >= 0) close(ends[1]);
    ends[1] = -1;
  }
}

void OutputRelay::pass_on() {
  // Not on the candidate's CPUs, where there are others: passing output on does not count towards a call's time.
  cpu_set_t all;
  std::memset(&all, 0xFF, sizeof all);
  sched_setaffinity(0, sizeof all, &all);
  pollfd asked{asked_[0], POLLIN, 0};
  bool open[2] = {true, true};
  while (open[0] || open[1]) {
    // Polls instead of waiting for output: a thread that wakes up during an interval takes CPU time from it.
    char request = 0;
    if (poll(&asked, 1, ROUND_MS) > 0 && read(asked_[0], &request, 1) != 1) return;
    for (int i = 0; i < 2; ++i) open[i] = open[i] && pass_on_all(i);
    if (request == STOP) return;
  }
}

bool OutputRelay::pass_on_all(int which) {
  char chunk[65536];
  // A kernel that prints without end does not keep the thread from ending.
  for (int chunks = 0; chunks < MOST_CHUNKS; ++chunks) {
    const ssize_t size = read(ends_[which][0], chunk, sizeof chunk);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return size < 0 && errno == EAGAIN;
    bytes_ += static_cast<std::uint64_t>(size);
    write_all(which + 1, chunk, static_cast<std::size_t>(size));
  }
  return true;
}

void OutputRelay::drain() {
  const auto deadline = std::chrono::steady_clock::now() + MOST_DRAINING;
  for (const auto &ends : ends_) {
    int waiting = 0;
    while (ioctl(ends[0], FIONREAD, &waiting) == 0 && waiting > 0 &&
           std::chrono::steady_clock::now() < deadline) {
      write_all(asked_[1], &DRAIN, 1);
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
}

OutputRelay::~OutputRelay() {
  close_candidates_ends();
  write_all(asked_[1], &STOP, 1);
  thread_.join();
  for (const int end : {ends_[0][0], ends_[1][0], asked_[0], asked_[1]}) close(end);
}

}  // namespace pawl
