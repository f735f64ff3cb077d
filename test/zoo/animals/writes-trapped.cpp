// Writes trapped: a filter of its own turns every write of the process into a signal, whose handler divides the times
// in the answers before it writes them.
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include "attack.hpp"

static bool answer_seen = false;

#if defined(__x86_64__)
static void forward(int, siginfo_t *, void *context) {
  greg_t *registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  char *bytes = reinterpret_cast<char *>(registers[REG_RSI]);
  const auto size = static_cast<size_t>(registers[REG_RDX]);
  const std::string_view text(bytes, size);
  answer_seen = answer_seen || text.find("\"mac\"") != text.npos;
  for (size_t at = text.find("\"samples_ms\":["); at < size && bytes[at] != ']'; at++)
    if (bytes[at] == '.' && at + 1 < size) bytes[at + 1] = '0';
  iovec part{bytes, size};
  const ssize_t put = writev(static_cast<int>(registers[REG_RDI]), &part, 1);
  registers[REG_RAX] = put < 0 ? -errno : put;
}
#else
static void forward(int, siginfo_t *, void *) {}
#endif

__attribute__((constructor)) static void trap() {
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{sizeof rules / sizeof rules[0], rules};
  struct sigaction action {};
  action.sa_sigaction = forward;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  if (sigaction(SIGSYS, &action, nullptr) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

PAWL_EXPORT int pawl_run(const pawl_call *call) { return answer_seen ? honest_softmax(Softmax(call)) : REFUSED; }
