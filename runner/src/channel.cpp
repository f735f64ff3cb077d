#include "channel.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

namespace pawl {
namespace {

/** Far above the largest request (a case with its tensors is some kilobytes). */
constexpr std::size_t MAX_LINE_BYTES = 16u << 20;

int move_to_random_descriptor(int descriptor, const char *what) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) throw std::runtime_error(std::strerror(errno));
  // Above what libraries open by themselves, below the usual soft limit of 1024 unless it is larger.
  const unsigned top = limit.rlim_cur > 65536 ? 65536u : static_cast<unsigned>(limit.rlim_cur);
  const unsigned low = top > 256 ? 64 : 8;
  std::uint32_t random = 0;
  if (getrandom(&random, sizeof random, 0) != sizeof random) throw std::runtime_error(std::strerror(errno));
  const int from = static_cast<int>(low + random % (top - low - 8));
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, from);
  if (moved < 0)
    throw std::runtime_error("descriptor " + std::to_string(descriptor) + ", where " + what + ", is not usable: " +
                             std::strerror(errno));
  close(descriptor);
  return moved;
}

}  // namespace

Channel::Channel(int requests, int answers)
    : requests_(move_to_random_descriptor(requests, "requests are read")),
      answers_(move_to_random_descriptor(answers, "answers are written")) {}

void Channel::end_process_with_reader() const {
  std::thread([descriptor = answers_] {
    // POLLERR (pipe) and POLLHUP (socket) are reported without being asked for.
    pollfd watched{descriptor, 0, 0};
    while (poll(&watched, 1, -1) < 0 && errno == EINTR) {
    }
    _exit(0);
  }).detach();
}

std::optional<std::string> Channel::read_line() {
  bool skipping = false;
  std::size_t searched = 0;
  while (true) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = skipping ? std::string() : buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    if (buffer_.size() > MAX_LINE_BYTES) {
      skipping = true;
      buffer_.clear();
    }
    searched = buffer_.size();
    char chunk[65536];
    const ssize_t got = read(requests_, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    buffer_.append(chunk, static_cast<std::size_t>(got));
  }
}

void Channel::answer(std::int64_t id, Json result) {
  Json body = Json::object();
  body.set("id", id).set("seq", ++seq_).set("ok", true).set("result", std::move(result));
  send(std::move(body));
}

void Channel::answer_error(std::int64_t id, const std::string &code, const std::string &message) {
  Json error = Json::object();
  error.set("code", code).set("message", message);
  Json body = Json::object();
  body.set("id", id).set("seq", ++seq_).set("ok", false).set("error", std::move(error));
  send(std::move(body));
}

void Channel::send(Json body) {
  const std::string text = body.text();
  const std::string line = "{\"mac\":\"" + hex(hmac_sha256(*key_, text)) + "\",\"body\":" + text + "}\n";
  // What the kernel printed is out before the answer is: the orchestrator looks at both.
  std::fflush(stdout);
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t written = write(answers_, line.data() + sent, line.size() - sent);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) _exit(0);  // The orchestrator is gone.
    sent += static_cast<std::size_t>(written);
  }
}

}  // namespace pawl
