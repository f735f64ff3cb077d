#include "seccomp_filter.hpp"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <initializer_list>

#include "sandbox.hpp"
#include "system_calls.hpp"

#ifndef EM_AARCH64
#define EM_AARCH64 183
#endif

namespace pawl {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t ARCH = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t ARCH = EM_AARCH64 | 0x80000000u | 0x40000000u;  // 64 bits, little endian
#endif
constexpr std::uint32_t X32_CALL = 0x40000000u;
constexpr std::uint32_t ALLOW = 0x7fff0000u, ERRNO = 0x00050000u;
constexpr unsigned SET_MODE_FILTER = 1, FLAG_SPEC_ALLOW = 1u << 2;

constexpr std::uint32_t THREAD_FLAG = 0x00010000;
// CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
constexpr std::uint32_t NAMESPACE_FLAGS = 0x80 | 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 |
                                          0x20000000 | 0x40000000;

/** What nothing that is measured or compiled needs, and what reaches out of a process. */
const int NEVER[] = {
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_getfd, SYS_process_madvise,
    SYS_process_mrelease, SYS_kcmp,
    // A result computed when the judge reads it would be outside the interval.
    SYS_userfaultfd, SYS_perf_event_open, SYS_bpf, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_open_tree,
    SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_mount_setattr, SYS_setns, SYS_unshare,
    SYS_open_by_handle_at, SYS_fanotify_init, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_init_module,
    SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl,
    SYS_syslog, SYS_settimeofday, SYS_clock_settime, SYS_vhangup,
#if defined(__x86_64__)
    SYS_iopl, SYS_ioperm, SYS_kexec_file_load,
#endif
};

/** Calls whose work other calls do, and which a filter cannot look into: programs that get ENOSYS use those. */
const int ABSENT[] = {SYS_clone3, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register};

/** Calls that begin with the number of a process. */
const int ON_A_PROCESS[] = {SYS_kill,          SYS_tkill,     SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
                            SYS_pidfd_open,    SYS_prlimit64, SYS_sched_setaffinity, SYS_sched_setscheduler,
                            SYS_sched_setparam, SYS_sched_setattr, SYS_setpgid};

/** A filter under construction: a sequence of small tests, each of which falls through to the next. */
class Filter {
 public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
    answer(EPERM);
    load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
    add(BPF_JMP | BPF_JSET | BPF_K, X32_CALL, 0, 1);
    answer(EPERM);
#endif
  }

  void refuse(int call, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1);
    answer(error);
  }

  /** Refuses a call when its argument (the low half, all that counts for an int) is the value. */
  void refuse_equal(int call, int argument, std::uint32_t value) { test(call, argument, BPF_JEQ, value, true); }
  void refuse_unequal(int call, int argument, std::uint32_t value) { test(call, argument, BPF_JEQ, value, false); }
  void refuse_any_bit(int call, int argument, std::uint32_t bits) { test(call, argument, BPF_JSET, bits, true); }
  void refuse_no_bit(int call, int argument, std::uint32_t bits) { test(call, argument, BPF_JSET, bits, false); }

  /** Refuses all values of a call's argument but these. */
  void refuse_others(int call, int argument, const std::uint32_t *values, int count) {
    const int allowed = count + 2;
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, static_cast<std::uint8_t>(allowed + 1));
    load_argument(argument);
    for (int i = 0; i < count; i++)
      add(BPF_JMP | BPF_JEQ | BPF_K, values[i], static_cast<std::uint8_t>(count - i), 0);
    answer(EPERM);
    load(offsetof(seccomp_data, nr));
  }

  bool install() {
    add(BPF_RET | BPF_K, ALLOW, 0, 0);
    if (length_ > CAPACITY) return false;
    const sock_fprog program{static_cast<unsigned short>(length_), code_};
    // Without FLAG_SPEC_ALLOW kernels before 5.16 slow the program down (speculative store bypass off).
    if (syscall(SYS_seccomp, SET_MODE_FILTER, FLAG_SPEC_ALLOW, &program) == 0) return true;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  static constexpr unsigned CAPACITY = 600;
  sock_filter code_[CAPACITY];
  unsigned length_ = 0;

  void add(unsigned code, std::uint32_t value, std::uint8_t if_true, std::uint8_t if_false) {
    if (length_ < CAPACITY) code_[length_] = {static_cast<std::uint16_t>(code), if_true, if_false, value};
    length_++;
  }
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset), 0, 0); }
  void load_argument(int index) { load(offsetof(seccomp_data, args) + 8 * static_cast<std::size_t>(index)); }
  void answer(int error) { add(BPF_RET | BPF_K, ERRNO | static_cast<std::uint32_t>(error), 0, 0); }

  void test(int call, int argument, unsigned comparison, std::uint32_t value, bool refused_when) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 4);
    load_argument(argument);
    add(BPF_JMP | comparison | BPF_K, value, refused_when ? 0 : 1, refused_when ? 1 : 0);
    answer(EPERM);
    load(offsetof(seccomp_data, nr));
  }
};

}  // namespace

bool apply_seccomp(const CallPolicy &policy) {
  Filter filter;
  for (const int call : NEVER) filter.refuse(call, EPERM);
  for (const int call : ABSENT) filter.refuse(call, ENOSYS);
  filter.refuse_any_bit(SYS_clone, 0, NAMESPACE_FLAGS);
  filter.refuse_unequal(SYS_personality, 0, 0xffffffffu);  // asking is harmless
  // Typing into the terminal that Pawl was started from, and the device that replaces userfaultfd().
  for (const std::uint32_t command : {0x5412u, 0x541cu, 0xaa00u}) filter.refuse_equal(SYS_ioctl, 1, command);
  if (policy.processes) {
    filter.refuse(SYS_pidfd_send_signal, EPERM);
  } else {
#if defined(__x86_64__)
    filter.refuse(SYS_fork, EPERM);
    filter.refuse(SYS_vfork, EPERM);
#endif
    filter.refuse_no_bit(SYS_clone, 0, THREAD_FLAG);
  }
  if (!policy.network) {
    // No address can be looked at here, so connecting is refused to sockets in the file system too: a machine's
    // container and service managers listen there.
    filter.refuse(SYS_connect, EPERM);
    const std::uint32_t families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};
    filter.refuse_others(SYS_socket, 0, families, policy.own_network ? 4 : 1);
  }
  for (const pid_t out_of_bounds : {policy.guard, policy.parent}) {
    if (out_of_bounds == 0) continue;
    for (const int call : ON_A_PROCESS) {
      filter.refuse_equal(call, 0, static_cast<std::uint32_t>(out_of_bounds));
      if (call == SYS_kill) filter.refuse_equal(call, 0, static_cast<std::uint32_t>(-out_of_bounds));
    }
    filter.refuse_equal(SYS_kill, 0, static_cast<std::uint32_t>(-1));  // everybody
  }
  return filter.install();
}

}  // namespace pawl
