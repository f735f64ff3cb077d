#pragma once

#include <cstddef>

namespace pawl {

inline constexpr std::size_t LINE_BYTES = 64;

#if defined(__x86_64__)
inline constexpr bool CAN_FLUSH_LINES = true;
inline void flush_line(const char *line) { __builtin_ia32_clflush(line); }
inline void wait_for_flushes() { __builtin_ia32_mfence(); }
#elif defined(__aarch64__)
inline constexpr bool CAN_FLUSH_LINES = true;
inline void flush_line(const char *line) { asm volatile("dc civac, %0" ::"r"(line) : "memory"); }
inline void wait_for_flushes() { asm volatile("dsb sy" ::: "memory"); }
#else
inline constexpr bool CAN_FLUSH_LINES = false;
inline void flush_line(const char *) {}
inline void wait_for_flushes() {}
#endif

/** Puts memory out of all caches, on every CPU; see `wait_for_flushes`. */
inline void flush_lines(const void *data, std::size_t bytes) {
  const char *first = static_cast<const char *>(data);
  for (std::size_t offset = 0; offset < bytes; offset += LINE_BYTES) flush_line(first + offset);
  if (bytes > 0) flush_line(first + bytes - 1);
}

}  // namespace pawl
