// Tries, one by one, what a sandbox forbids, and prints what came of each: "ok", or the name of the error.
// Arguments: a file to write outside, the scratch folder, a file that is hidden, and the pid of somebody
// outside.
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "../../runner/src/sandbox/system_calls.hpp"

static void say(const char *name, long result) {
  printf("%s %s\n", name, result >= 0 ? "ok" : strerrorname_np(errno));
  fflush(stdout);
}

static long write_to(const std::string &path) { return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600); }

static void *empty_thread(void *) { return nullptr; }

static long unix_connect() {
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  strcpy(address.sun_path, "/nowhere/at/all");
  return connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address);
}

static long inet_connect() {
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (fd < 0) return fd;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(53);
  address.sin_addr.s_addr = htonl(0x08080808);
  return sendto(fd, "x", 1, 0, reinterpret_cast<sockaddr *>(&address), sizeof address);
}

static long forked() {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  if (pid > 0) waitpid(pid, nullptr, 0);
  return pid;
}

int main(int argc, char **argv) {
  if (argc < 5) return 64;
  const std::string outside = argv[1], scratch = argv[2], hidden = argv[3];
  const pid_t stranger = atoi(argv[4]);

  say("write-outside", write_to(outside));
  say("write-scratch", write_to(scratch + "/file"));
  mkdir((scratch + "/a").c_str(), 0700);
  mkdir((scratch + "/b").c_str(), 0700);
  write_to(scratch + "/a/file");
  say("rename-across", rename((scratch + "/a/file").c_str(), (scratch + "/b/file").c_str()));
  say("write-null", write_to("/dev/null"));
  say("read-system", open("/etc/passwd", O_RDONLY));
  // Where it is covered the open works, and there is nothing to read.
  char byte;
  const int covered = open(hidden.c_str(), O_RDONLY);
  fflush(stdout);
  printf("read-hidden %s\n", covered >= 0 && read(covered, &byte, 1) == 1 ? "ok" : "refused");

  pthread_t thread;
  printf("thread %s\n", pthread_create(&thread, nullptr, empty_thread, nullptr) == 0 ? "ok" : "refused");
  pthread_join(thread, nullptr);
  say("fork", forked());
  say("signal-self", kill(getpid(), 0));
  say("signal-stranger", kill(stranger, 0));
  say("signal-everybody", kill(-1, 0));
  rlimit limit;
  say("limit-self", prlimit(static_cast<__pid_t>(0), RLIMIT_NOFILE, nullptr, &limit));

  iovec here{&byte, 1}, there{&byte, 1};
  say("ptrace", ptrace(PTRACE_TRACEME, 0, nullptr, nullptr));
  say("process-vm-readv", process_vm_readv(getpid(), &here, 1, &there, 1, 0));
  say("pidfd-getfd", syscall(SYS_pidfd_getfd, 0, 0, 0));
  say("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC));
  perf_event_attr counter{};
  counter.size = sizeof counter;
  counter.type = PERF_TYPE_SOFTWARE;
  counter.exclude_kernel = 1;
  say("perf-event-open", syscall(SYS_perf_event_open, &counter, 0, -1, -1, 0));
  say("bpf", syscall(SYS_bpf, 0, nullptr, 0));
  say("mount", mount("none", scratch.c_str(), "tmpfs", 0, nullptr));
  say("unshare-user", unshare(CLONE_NEWUSER));
  say("setns", syscall(SYS_setns, open("/proc/self/ns/net", O_RDONLY), 0));
  say("keyctl", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1));
  say("personality-ask", personality(0xffffffff));
  say("personality-set", personality(ADDR_NO_RANDOMIZE));
  say("open-by-handle", syscall(SYS_open_by_handle_at, AT_FDCWD, nullptr, O_RDONLY));
  say("io-uring", syscall(SYS_io_uring_setup, 1, nullptr));
  say("clone3", syscall(SYS_clone3, nullptr, 0));
  say("chroot", chroot("/"));
#if defined(__x86_64__)
  say("x32", syscall(0x40000000 | SYS_getpid));
#endif
  say("unix-socket", socket(AF_UNIX, SOCK_STREAM, 0));
  say("unix-connect", unix_connect());
  say("inet-send", inet_connect());
  say("vsock", socket(40, SOCK_STREAM, 0));
  say("regain-root", write_to("/proc/sys/kernel/hostname"));
  printf("end ok\n");
}
