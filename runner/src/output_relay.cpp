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

/** Whoever reads this process's output may be slow; an answer does not wait for it longer than this. */
constexpr std::chrono::milliseconds MOST_DRAINING(200);

void write_all(int descriptor, const char *data, std::size_t bytes) {
  for (std::size_t sent = 0; sent < bytes;) {
    const ssize_t part = write(descriptor, data + sent, bytes - sent);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) return;  // Nobody listens; the kernel need not know.
    sent += static_cast<std::size_t>(part);
  }
}

}  // namespace

OutputRelay::OutputRelay() {
  if (pipe2(ends_[0], O_CLOEXEC) != 0 || pipe2(ends_[1], O_CLOEXEC) != 0 || pipe2(stop_, O_CLOEXEC) != 0)
    throw std::runtime_error(std::string("no pipe for what the kernel prints: ") + std::strerror(errno));
  thread_ = std::thread([this] { pass_on(); });
}

void OutputRelay::close_candidates_ends() {
  for (auto &ends : ends_) {
    if (ends[1] >= 0) close(ends[1]);
    ends[1] = -1;
  }
}

void OutputRelay::pass_on() {
  // Not on the candidate's CPUs, where there are others: passing on is no part of what a call takes.
  cpu_set_t all;
  std::memset(&all, 0xFF, sizeof all);
  sched_setaffinity(0, sizeof all, &all);
  pollfd watched[3] = {{ends_[0][0], POLLIN, 0}, {ends_[1][0], POLLIN, 0}, {stop_[0], POLLIN, 0}};
  char chunk[65536];
  while (watched[0].fd >= 0 || watched[1].fd >= 0) {
    if (poll(watched, 3, -1) < 0 && errno != EINTR) return;
    bool read_some = false;
    for (int i = 0; i < 2; ++i) {
      if ((watched[i].revents & (POLLIN | POLLHUP)) == 0) continue;
      const ssize_t size = read(watched[i].fd, chunk, sizeof chunk);
      if (size <= 0) {
        watched[i].fd = -1;
        continue;
      }
      write_all(i + 1, chunk, static_cast<std::size_t>(size));
      bytes_ += static_cast<std::uint64_t>(size);
      read_some = true;
    }
    if ((watched[2].revents & POLLIN) != 0 && !read_some) return;
  }
}

void OutputRelay::drain() const {
  const auto deadline = std::chrono::steady_clock::now() + MOST_DRAINING;
  for (const auto &ends : ends_) {
    int waiting = 0;
    while (ioctl(ends[0], FIONREAD, &waiting) == 0 && waiting > 0 && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

OutputRelay::~OutputRelay() {
  close_candidates_ends();
  write_all(stop_[1], "x", 1);
  thread_.join();
  for (const int end : {ends_[0][0], ends_[1][0], stop_[0], stop_[1]}) close(end);
}

}  // namespace pawl
