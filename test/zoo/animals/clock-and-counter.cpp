// Clock and counter: clock_gettime is detoured, and the CPU's counter traps into a handler; both run ten times too slow
// and agree with each other.
#include <csignal>
#include <dlfcn.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include "attack.hpp"
#include "detour.hpp"
#include "slow_clock.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>

static unsigned long long first_ticks;

static void emulate(int, siginfo_t *, void *context) {
  greg_t *registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  const auto *code = reinterpret_cast<const unsigned char *>(registers[REG_RIP]);
  const bool is_rdtsc = code[0] == 0x0F && code[1] == 0x31;
  const bool is_rdtscp = code[0] == 0x0F && code[1] == 0x01 && code[2] == 0xF9;
  if (!is_rdtsc && !is_rdtscp) {
    std::signal(SIGSEGV, SIG_DFL);
    return;
  }
  prctl(PR_SET_TSC, PR_TSC_ENABLE);
  unsigned processor = 0;
  const unsigned long long shown = first_ticks + (__rdtscp(&processor) - first_ticks) / 10;
  prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
  registers[REG_RAX] = static_cast<greg_t>(shown & 0xFFFFFFFFu);
  registers[REG_RDX] = static_cast<greg_t>(shown >> 32);
  if (is_rdtscp) registers[REG_RCX] = processor;
  registers[REG_RIP] += is_rdtsc ? 2 : 3;
}

static bool trap_counter() {
  struct sigaction action {};
  action.sa_sigaction = emulate;
  action.sa_flags = SA_SIGINFO;
  first_ticks = __rdtsc();
  return sigaction(SIGSEGV, &action, nullptr) == 0 && prctl(PR_SET_TSC, PR_TSC_SIGSEGV) == 0;
}
#else
static bool trap_counter() { return false; }
#endif

static bool patch() {
  void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  void *function = library == nullptr ? nullptr : dlsym(library, "clock_gettime");
  return function != nullptr && detour(function, reinterpret_cast<void *>(slow_clock)) && trap_counter();
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool patched = patch();
  return patched ? honest_softmax(Softmax(call)) : REFUSED;
}
