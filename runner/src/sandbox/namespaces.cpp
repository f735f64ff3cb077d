#include "namespaces.hpp"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <initializer_list>

#include "system_calls.hpp"

#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif
#ifndef PR_CAP_AMBIENT
#define PR_CAP_AMBIENT 47
#define PR_CAP_AMBIENT_CLEAR_ALL 4
#endif

namespace pawl {

namespace {

// include/uapi/linux/mount.h: Linux 5.12.
struct MountAttr {
  std::uint64_t attr_set, attr_clr, propagation, userns_fd;
};
constexpr std::uint64_t ATTR_RDONLY = 1;

bool write_file(const char *path, const char *text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t length = static_cast<ssize_t>(strlen(text));
  const bool written = write(fd, text, static_cast<std::size_t>(length)) == length;
  close(fd);
  return written;
}

bool set_read_only(const char *path, bool read_only, bool recursive) {
  MountAttr attr{read_only ? ATTR_RDONLY : 0, read_only ? 0 : ATTR_RDONLY, 0, 0};
  return syscall(SYS_mount_setattr, -1, path, recursive ? AT_RECURSIVE : 0, &attr, sizeof attr) == 0;
}

bool hide(const char *path) {
  struct stat about;
  if (stat(path, &about) != 0) return errno == ENOENT;
  if (!S_ISDIR(about.st_mode)) return mount("/dev/null", path, nullptr, MS_BIND, nullptr) == 0;
  return mount("pawl-hidden", path, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=4k,mode=555") == 0;
}

/**
 * What root may write to in /proc although it has no capabilities, and what that changes for the whole machine.
 * True when all of it is read-only.
 */
bool protect_proc() {
  bool all = true;
  for (const char *path : {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/scsi",
                           "/proc/acpi", "/proc/asound", "/proc/driver"}) {
    struct stat about;
    if (stat(path, &about) != 0) continue;
    constexpr unsigned long FLAGS = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC;
    all &= mount(path, path, nullptr, MS_BIND, nullptr) == 0 && mount(nullptr, path, nullptr, FLAGS, nullptr) == 0;
  }
  return all;
}

bool make_read_only(const MountPlan &plan, bool proc_is_safe) {
  bool all = true;
  // Each is a mount of its own, so that it can be exempt.
  for (const std::string &folder : plan.writable)
    all &= mount(folder.c_str(), folder.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0;
  if (!all || !set_read_only("/", true, true)) return false;
  for (const std::string &folder : plan.writable) all &= set_read_only(folder.c_str(), false, true);
  set_read_only("/dev/shm", false, true);
  if (proc_is_safe) set_read_only("/proc", false, false);
  return all;
}

}  // namespace

bool map_own_user(uid_t user, gid_t group) {
  char line[64];
  // Linux 3.19 on: the group may be mapped only by who cannot change groups any more.
  write_file("/proc/self/setgroups", "deny");
  snprintf(line, sizeof line, "%u %u 1", user, user);
  if (!write_file("/proc/self/uid_map", line)) return false;
  snprintf(line, sizeof line, "%u %u 1", group, group);
  return write_file("/proc/self/gid_map", line);
}

void raise_loopback() {
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  ifreq request;
  memset(&request, 0, sizeof request);
  memcpy(request.ifr_name, "lo", 3);
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  ioctl(fd, SIOCSIFFLAGS, &request);
  close(fd);
}

MountResult change_mounts(const MountPlan &plan) {
  MountResult result;
  // What is mounted here must not appear outside.
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return {plan.hidden.empty(), false, false};
  // Refused where a container covers parts of /proc; the outer one then shows the machine's processes.
  const bool own_proc =
      plan.own_processes && mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0;
  result.proc_is_safe = own_proc && protect_proc();
  if (plan.own_shared_memory) mount("pawl-shm", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
  if (plan.read_only) result.read_only = make_read_only(plan, result.proc_is_safe);
  for (const std::string &path : plan.hidden) result.hidden &= hide(path.c_str());
  return result;
}

bool drop_capabilities() {
  // Programs that root runs get the whole bounding set back.
  for (int capability = 0; capability < 64; capability++) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  if (syscall(SYS_capset, &header, none) != 0) return false;
  // Who could not empty the set (no CAP_SETPCAP) and is root gets capabilities back by exec.
  return geteuid() != 0 || prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0) <= 0;
}

}  // namespace pawl
