#pragma once

#include <cerrno>

namespace pawl {

/**
 * A system call without the C library: usable after a fork of a program with threads, and where the library's
 * own data is gone. The result is as the kernel gives it: -errno for a failure.
 */
__attribute__((always_inline)) inline long raw_call(long number, long a = 0, long b = 0, long c = 0, long d = 0,
                                                    long e = 0) {
#if defined(__x86_64__)
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = 0;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = 0;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
#else
#error "The sandbox knows the system calls of x86-64 and AArch64 only."
#endif
}

}  // namespace pawl
