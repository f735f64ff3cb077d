#include "proc.hpp"

#include <cstdlib>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace pawl {

std::optional<std::string> read_proc(const std::string &path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::string text;
  char chunk[4096];
  ssize_t size = 0;
  while ((size = read(file, chunk, sizeof chunk)) > 0) text.append(chunk, static_cast<std::size_t>(size));
  close(file);
  if (size < 0) return std::nullopt;
  return text;
}

std::vector<int> numbers_in(const std::string &folder) {
  std::vector<int> numbers;
  DIR *entries = opendir(folder.c_str());
  if (entries == nullptr) return numbers;
  const int own = folder == "/proc/self/fd" ? dirfd(entries) : -1;
  while (const dirent *entry = readdir(entries)) {
    char *end = nullptr;
    const long number = std::strtol(entry->d_name, &end, 10);
    if (end != entry->d_name && *end == 0 && number != own) numbers.push_back(static_cast<int>(number));
  }
  closedir(entries);
  return numbers;
}

std::vector<std::string> lines_of(const std::string &text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    if (end > at) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace pawl
