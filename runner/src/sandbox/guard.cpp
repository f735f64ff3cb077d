#include "guard.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include <cstdint>
#include <initializer_list>

#include "raw_call.hpp"
#include "system_calls.hpp"

// A guard is a fork of the judge that never execs. It must not keep what the judge knows (a program that reads
// process 1 would find it), nor make the judge copy each page that it writes from now on. So it gives its memory
// back, the C library's with it, and from there on lives on system calls alone: nothing here calls a function
// that is not inlined or static in this file.

namespace pawl {

namespace {

#define PAWL_INLINE __attribute__((always_inline)) inline

// How far a frame reaches above the address that names it: on AArch64 that is its lower end.
#if defined(__x86_64__)
constexpr std::uint64_t FRAME_BYTES = 16;
#else
constexpr std::uint64_t FRAME_BYTES = 0x4000;
#endif

PAWL_INLINE std::uint64_t hex(const char *&at) {
  std::uint64_t value = 0;
  for (;; at++) {
    if (*at >= '0' && *at <= '9') value = value * 16 + static_cast<std::uint64_t>(*at - '0');
    else if (*at >= 'a' && *at <= 'f') value = value * 16 + static_cast<std::uint64_t>(*at - 'a' + 10);
    else return value;
  }
}

/** One line of /proc/self/maps: gives the mapping back when it is private, writable and of no file. */
PAWL_INLINE void forget_mapping(const char *line, std::uint64_t frame) {
  const std::uint64_t start = hex(line);
  line++;
  const std::uint64_t end = hex(line);
  const bool writable = line[2] == 'w', is_private = line[4] == 'p';
  line += 6;
  hex(line);  // offset
  line++;
  while (*line != ' ' && *line != '\0') line++;  // device
  const bool of_file = line[0] != ' ' || line[1] != '0';
  if (!writable || !is_private || of_file) return;
  const bool own_stack = start <= frame && frame < end;
  // Of its own stack it keeps its frame and what is below: nothing returns to what is above. Where a page is not of
  // 4 KB (AArch64: up to 64), the kernel refuses a beginning within one.
  for (const std::uint64_t page : {std::uint64_t{0x1000}, std::uint64_t{0x10000}}) {
    const std::uint64_t from = own_stack ? (frame + FRAME_BYTES + page - 1) & ~(page - 1) : start;
    if (from >= end) return;
    if (raw_call(SYS_madvise, static_cast<long>(from), static_cast<long>(end - from), MADV_DONTNEED) == 0) return;
  }
}

PAWL_INLINE void forget_memory() {
  const auto frame = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  const long maps = raw_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/maps"), O_RDONLY | O_CLOEXEC);
  if (maps < 0) return;
  volatile char line[256];
  unsigned length = 0;
  char chunk[1024];
  for (;;) {
    const long got = raw_call(SYS_read, maps, reinterpret_cast<long>(chunk), sizeof chunk);
    if (got <= 0) break;
    for (long i = 0; i < got; i++) {
      if (chunk[i] != '\n') {
        if (length < sizeof line - 1) line[length++] = chunk[i];
        continue;
      }
      line[length] = '\0';
      forget_mapping(const_cast<const char *>(line), frame);
      length = 0;
    }
  }
  raw_call(SYS_close, maps);
}

/** The parent of a process by its /proc/N/stat, 0 when it cannot be read. */
PAWL_INLINE long parent_of(const char *digits) {
  volatile char path[32];
  unsigned length = 0;
  for (const char *at = "/proc/"; *at != '\0'; at++) path[length++] = *at;
  for (const char *at = digits; *at != '\0' && length < 20; at++) path[length++] = *at;
  for (const char *at = "/stat"; *at != '\0'; at++) path[length++] = *at;
  path[length] = '\0';
  const long file =
      raw_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(const_cast<const char *>(path)), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[256];
  const long got = raw_call(SYS_read, file, reinterpret_cast<long>(text), sizeof text);
  raw_call(SYS_close, file);
  // "7 (name) S 6": the name is in the program's hands, and at most 16 characters long (64 for kernel threads).
  long at = got - 1;
  while (at > 0 && text[at] != ')') at--;
  long parent = 0;
  for (at += 4; at > 4 && at < got && text[at] >= '0' && text[at] <= '9'; at++) parent = parent * 10 + (text[at] - '0');
  return parent;
}

struct Entry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  std::uint8_t type;
  char name[1];
};

PAWL_INLINE void kill_children() {
  const long self = raw_call(SYS_getpid);
  const long proc = raw_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) return;
  alignas(8) char entries[2048];
  for (;;) {
    const long got = raw_call(SYS_getdents64, proc, reinterpret_cast<long>(entries), sizeof entries);
    if (got <= 0) break;
    for (long at = 0; at < got;) {
      const auto *entry = reinterpret_cast<const Entry *>(entries + at);
      at += entry->length;
      long pid = 0;
      const char *digit = entry->name;
      for (; *digit >= '0' && *digit <= '9'; digit++) pid = pid * 10 + (*digit - '0');
      if (*digit == '\0' && pid > 0 && parent_of(entry->name) == self) raw_call(SYS_kill, pid, SIGKILL);
    }
  }
  raw_call(SYS_close, proc);
}

/** Collects what has ended; notes the program's status. False when no child is left. */
PAWL_INLINE bool collect(pid_t program, int &status, bool &ended) {
  for (;;) {
    int one = 0;
    const long pid = raw_call(SYS_wait4, -1, reinterpret_cast<long>(&one), WNOHANG | __WALL);
    if (pid == program) {
      status = one;
      ended = true;
    }
    if (pid <= 0) return pid == 0;
  }
}

}  // namespace

[[noreturn]] __attribute__((noinline)) void guard(pid_t program, int status_fd, bool namespaced) {
  forget_memory();
  const std::uint64_t signals = (std::uint64_t{1} << (SIGCHLD - 1)) | (std::uint64_t{1} << (SIGTERM - 1));
  // All signals are blocked since the fork; these two are read.
  const long signal_fd =
      raw_call(SYS_signalfd4, -1, reinterpret_cast<long>(&signals), sizeof signals, O_CLOEXEC | O_NONBLOCK);
  pollfd watched[2];
  watched[0].fd = static_cast<int>(signal_fd);
  watched[1].fd = status_fd;
  watched[0].events = watched[1].events = POLLIN;
  int status = 0;
  bool ended = false, alive = true;
  while (!ended) {
    alive = collect(program, status, ended);
    if (ended || !alive) break;
    watched[0].revents = watched[1].revents = 0;
    raw_call(SYS_ppoll, reinterpret_cast<long>(watched), 2, 0, 0, sizeof signals);
    if (watched[1].revents != 0) break;  // the other side is gone: nothing writes there
    bool asked_to_end = false;
    for (;;) {
      std::uint32_t info[32];  // struct signalfd_siginfo: 128 bytes, the signal first
      if (raw_call(SYS_read, signal_fd, reinterpret_cast<long>(info), sizeof info) <= 0) break;
      asked_to_end |= info[0] == SIGTERM;
    }
    if (asked_to_end) break;
  }
  if (!namespaced) {
    while (alive && collect(program, status, ended)) {
      kill_children();
      const timespec millisecond = {0, 1000000};
      raw_call(SYS_nanosleep, reinterpret_cast<long>(&millisecond), 0);
    }
  }
  if (ended) raw_call(SYS_write, status_fd, reinterpret_cast<long>(&status), sizeof status);
  // The end of process 1 ends everything, too, but uncollected, so that the time it took of the processors would
  // count as other work on the machine.
  if (namespaced && raw_call(SYS_kill, -1, SIGKILL) == 0) {
    while (raw_call(SYS_wait4, -1, 0, __WALL) > 0) {
    }
  }
  for (;;) raw_call(SYS_exit_group, 0);
}

}  // namespace pawl
