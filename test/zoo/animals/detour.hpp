// Overwrites the machine code of a function with a jump to another.
#pragma once

#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

inline bool detour(void *function, void *target) {
#if defined(__x86_64__)
  unsigned char code[12] = {0x48, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xE0};  // mov rax, target; jmp rax
  std::memcpy(code + 2, &target, 8);
#elif defined(__aarch64__)
  unsigned char code[16] = {0x50, 0, 0, 0x58, 0, 2, 0x1F, 0xD6};  // ldr x16, target; br x16
  std::memcpy(code + 8, &target, 8);
#else
  unsigned char code[1] = {};
  return false;
#endif
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t start = reinterpret_cast<uintptr_t>(function) / page * page;
  if (mprotect(reinterpret_cast<void *>(start), 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  std::memcpy(function, code, sizeof code);
  __builtin___clear_cache(static_cast<char *>(function), static_cast<char *>(function) + sizeof code);
  return true;
}
