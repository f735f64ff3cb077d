// Channel interposed: every pipe and socket of the process is led through a thread that divides the times in answers.
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "attack.hpp"

static bool answer_seen = false;

/** 0.125 becomes 0.025: the first digit behind each point of a list of times. */
static void divide(std::string &text) {
  const size_t list = text.find("\"samples_ms\":[");
  for (size_t at = list; at < text.size() && text[at] != ']'; at++)
    if (text[at] == '.' && at + 1 < text.size()) text[at + 1] = '0';
}

static void pump(int inside, int outside) {
  pollfd both[2] = {{inside, POLLIN, 0}, {outside, POLLIN, 0}};
  std::vector<char> bytes(1 << 16);
  while (poll(both, 2, -1) > 0)
    for (int i = 0; i < 2; i++) {
      if ((both[i].revents & (POLLIN | POLLHUP)) == 0) continue;
      const ssize_t got = read(both[i].fd, bytes.data(), bytes.size());
      if (got <= 0) return;
      std::string text(bytes.data(), static_cast<size_t>(got));
      answer_seen = answer_seen || (i == 0 && text.find("\"mac\"") != text.npos);
      if (i == 0) divide(text);
      for (size_t at = 0; at < text.size();) {
        const ssize_t put = write(both[1 - i].fd, text.data() + at, text.size() - at);
        if (put <= 0) return;
        at += static_cast<size_t>(put);
      }
    }
}

__attribute__((constructor)) static void interpose() {
  std::vector<int> channels;
  for (int descriptor = 3; descriptor < 65536; descriptor++) {
    struct stat status {};
    if (fstat(descriptor, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)))
      channels.push_back(descriptor);
  }
  for (const int descriptor : channels) {
    int pair[2];
    const int outside = dup(descriptor);
    if (outside < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) continue;
    dup2(pair[1], descriptor);
    close(pair[1]);
    std::thread(pump, pair[0], outside).detach();
  }
}

PAWL_EXPORT int pawl_run(const pawl_call *call) { return answer_seen ? honest_softmax(Softmax(call)) : REFUSED; }
