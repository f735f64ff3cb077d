#include "open_files.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <sys/stat.h>
#include <unistd.h>

#include "proc.hpp"

namespace pawl {
namespace {

bool starts_with(const std::string &text, const char *start) { return text.rfind(start, 0) == 0; }

/** What results can be kept in or sent through; not devices, drivers' own memory, pipes or /proc itself. */
bool counts(const std::string &target) {
  if (target.find("__KMP_REGISTERED_LIB") != std::string::npos) return false;  // an OpenMP runtime's note to itself
  // A semaphore whose name is gone is Python's, for processes of its own that compile.
  if (starts_with(target, "/dev/shm/sem.")) return target.find(" (deleted)") == std::string::npos;
  if (starts_with(target, "/dev/shm/")) return !starts_with(target, "/dev/shm/cuda.");
  if (starts_with(target, "/dev/") || starts_with(target, "/proc/") || starts_with(target, "/sys/")) return false;
  return starts_with(target, "/") || starts_with(target, "socket:");
}

/** The C library reads its tables of characters like that (`setlocale`): nothing can be kept in what cannot be written. */
bool is_read_only(const char *permissions, const std::string &name) {
  if (permissions[1] != '-') return false;
  if (starts_with(name, "/usr/")) return true;
  // Where it is not found, it may be a file in a place of the candidate's own.
  return access(name.c_str(), W_OK) != 0 && (errno == EACCES || errno == EROFS);
}

}  // namespace

std::set<std::string> held_files(int pid, const std::set<std::uint64_t> &given) {
  const std::string process = "/proc/" + std::to_string(pid);
  std::set<std::string> held;
  for (const int descriptor : numbers_in(process + "/fd")) {
    char target[4096];
    const std::string link = process + "/fd/" + std::to_string(descriptor);
    const ssize_t length = readlink(link.c_str(), target, sizeof target);
    if (length <= 0) continue;
    const std::string name(target, static_cast<std::size_t>(length));
    struct stat status {};
    if (stat(link.c_str(), &status) == 0 && given.count(static_cast<std::uint64_t>(status.st_ino)) != 0) continue;
    if (counts(name)) held.insert(name);
  }
  for (const std::string &line : lines_of(read_proc(process + "/maps").value_or(""))) {
    // "7f00-7f01 rw-s 00000000 00:01 2049 /dev/shm/name"
    char permissions[8] = "";
    unsigned long long inode = 0;
    int path = 0;
    if (std::sscanf(line.c_str(), "%*s %7s %*s %*s %llu %n", permissions, &inode, &path) < 2) continue;
    if (permissions[3] != 's' || path == 0 || given.count(inode) != 0) continue;
    const std::string name = line.substr(static_cast<std::size_t>(path));
    if (counts(name) && !is_read_only(permissions, name)) held.insert(name);
  }
  return held;
}

std::optional<std::uint64_t> transferred_bytes(int pid) {
  const std::string text = read_proc("/proc/" + std::to_string(pid) + "/io").value_or("");
  const std::size_t read_at = text.find("rchar: "), written_at = text.find("wchar: ");
  if (read_at == std::string::npos || written_at == std::string::npos) return std::nullopt;
  return std::strtoull(text.c_str() + read_at + 7, nullptr, 10) +
         std::strtoull(text.c_str() + written_at + 7, nullptr, 10);
}

}  // namespace pawl
