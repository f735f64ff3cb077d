// Lazy pages: the output is made unreadable, and a signal handler computes the page that somebody wanted to read.
#include <csignal>
#include <sys/mman.h>

#include "attack.hpp"
#include "lazy_page.hpp"

static LazyOutput output;

static void compute_page(int, siginfo_t *info, void *) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(info->si_addr) / LAZY_PAGE * LAZY_PAGE;
  if (address < output.first || address >= output.end) {
    std::signal(SIGSEGV, SIG_DFL);
    return;
  }
  mprotect(reinterpret_cast<void *>(address), LAZY_PAGE, PROT_READ | PROT_WRITE);
  output.compute(address, reinterpret_cast<unsigned char *>(address));
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  struct sigaction action {};
  action.sa_sigaction = compute_page;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  if (sigaction(SIGSEGV, &action, nullptr) != 0) return REFUSED;
  // What an earlier call left protected is another buffer's now.
  if (output.end > output.first)
    mprotect(reinterpret_cast<void *>(output.first), output.end - output.first, PROT_READ | PROT_WRITE);
  output.take(Softmax(call));
  void *pages = reinterpret_cast<void *>(output.first);
  return mprotect(pages, output.end - output.first, PROT_NONE) == 0 ? 0 : REFUSED;
}
