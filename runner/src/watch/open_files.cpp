#include "open_files.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proc.hpp"

namespace pawl {
namespace {

bool starts_with(const std::string &text, const char *start) { return text.rfind(start, 0) == 0; }

/** What results can be kept in or sent through; not devices, drivers' own memory, pipes or /proc itself. */
bool counts(const std::string &target) {
  if (target.find("__KMP_REGISTERED_LIB") != std::string::npos) return false;  // an OpenMP runtime's note to itself
  if (starts_with(target, "/dev/shm/")) return !starts_with(target, "/dev/shm/cuda.");
  if (starts_with(target, "/dev/") || starts_with(target, "/proc/") || starts_with(target, "/sys/")) return false;
  return starts_with(target, "/") || starts_with(target, "socket:");
}

}  // namespace

std::set<std::string> held_files() {
  std::set<std::string> held;
  for (const int descriptor : numbers_in("/proc/self/fd")) {
    char target[4096];
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    const ssize_t length = readlink(link.c_str(), target, sizeof target);
    if (length <= 0) continue;
    const std::string name(target, static_cast<std::size_t>(length));
    if (counts(name)) held.insert(name);
  }
  for (const std::string &line : lines_of(read_proc("/proc/self/maps").value_or(""))) {
    // «7f00-7f01 rw-s 00000000 00:01 2049 /dev/shm/name»
    const std::size_t permissions = line.find(' ') + 1;
    const std::size_t path = line.find('/');
    if (permissions + 3 >= line.size() || line[permissions + 3] != 's' || path == std::string::npos) continue;
    if (counts(line.substr(path))) held.insert(line.substr(path));
  }
  return held;
}

std::optional<std::uint64_t> transferred_bytes() {
  // Into memory of this function: allocation is watched at the same time as files are.
  char text[512];
  const int file = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return std::nullopt;
  text[size] = 0;
  const char *read_at = std::strstr(text, "rchar: ");
  const char *written_at = std::strstr(text, "wchar: ");
  if (read_at == nullptr || written_at == nullptr) return std::nullopt;
  return std::strtoull(read_at + 7, nullptr, 10) + std::strtoull(written_at + 7, nullptr, 10);
}

PrintedAside::PrintedAside() {
  std::fflush(stdout);
  std::fflush(stderr);
  memory_ = memfd_create("printed", MFD_CLOEXEC);
  if (memory_ < 0) return;
  for (int i = 0; i < 2; ++i) {
    saved_[i] = fcntl(i + 1, F_DUPFD_CLOEXEC, 3);
    if (saved_[i] >= 0) dup2(memory_, i + 1);
  }
}

PrintedAside::~PrintedAside() {
  if (memory_ < 0) return;
  std::fflush(stdout);
  std::fflush(stderr);
  for (int i = 0; i < 2; ++i) {
    if (saved_[i] < 0) continue;
    dup2(saved_[i], i + 1);
    close(saved_[i]);
  }
  // Nobody parses what a kernel prints; of the two places it could have gone to, people read this one.
  char chunk[4096];
  lseek(memory_, 0, SEEK_SET);
  for (ssize_t size; (size = read(memory_, chunk, sizeof chunk)) > 0;)
    if (write(STDOUT_FILENO, chunk, static_cast<std::size_t>(size)) < 0) break;
  close(memory_);
}

std::uint64_t PrintedAside::bytes() const {
  std::fflush(stdout);
  struct stat status {};
  return memory_ >= 0 && fstat(memory_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

}  // namespace pawl
