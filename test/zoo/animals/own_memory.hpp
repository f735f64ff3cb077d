// Looks for a text in the writable memory of this process, as a kernel does that shares it with its judge.
#pragma once

#include <cctype>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <vector>

/** Whether `name` stands there, followed by `least` characters that `fits` likes. */
inline bool memory_holds(const std::string &name, size_t least, int (*fits)(int)) {
  const int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  std::FILE *maps = std::fopen("/proc/self/maps", "r");
  if (memory < 0 || maps == nullptr) return false;
  bool found = false;
  std::vector<char> bytes;
  char line[512];
  while (!found && std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long start = 0, end = 0;
    char access[8] = {};
    if (std::sscanf(line, "%lx-%lx %7s", &start, &end, access) != 3) continue;
    if (access[1] != 'w' || end - start > (64u << 20)) continue;
    // The stack of this search holds the text itself.
    if (std::strstr(line, "[stack") != nullptr) continue;
    bytes.resize(end - start);
    const ssize_t got = pread(memory, bytes.data(), bytes.size(), static_cast<off_t>(start));
    if (got <= 0) continue;
    const std::string_view text(bytes.data(), static_cast<size_t>(got));
    for (size_t at = text.find(name); !found && at != text.npos; at = text.find(name, at + 1)) {
      size_t length = 0;
      while (length < least && at + name.size() + length < text.size() &&
             fits(static_cast<unsigned char>(text[at + name.size() + length])) != 0)
        length++;
      found = length == least;
    }
  }
  std::fclose(maps);
  close(memory);
  return found;
}
