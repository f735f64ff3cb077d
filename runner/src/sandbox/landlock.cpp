#include "landlock.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "system_calls.hpp"

namespace pawl {

namespace {

// include/uapi/linux/landlock.h, up to ABI 6; headers of older systems have less or none of it.
constexpr std::uint64_t EXECUTE = 1u << 0, WRITE_FILE = 1u << 1, READ_FILE = 1u << 2, READ_DIR = 1u << 3,
                        REMOVE_DIR = 1u << 4, REMOVE_FILE = 1u << 5, MAKE_DIR = 1u << 7, MAKE_REG = 1u << 8,
                        MAKE_SOCK = 1u << 9, MAKE_FIFO = 1u << 10, MAKE_SYM = 1u << 12, REFER = 1u << 13,
                        TRUNCATE = 1u << 14, IOCTL_DEV = 1u << 15;
constexpr std::uint64_t ALL_OF_ABI_1 = (1u << 13) - 1;
constexpr std::uint64_t TCP = (1u << 0) | (1u << 1);
constexpr std::uint64_t SCOPES = (1u << 0) | (1u << 1);  // abstract UNIX sockets, signals
constexpr int RULE_PATH_BENEATH = 1;
constexpr unsigned CREATE_RULESET_VERSION = 1;

struct RulesetAttr {
  std::uint64_t handled_access_fs;
  std::uint64_t handled_access_net;
  std::uint64_t scoped;
};

struct __attribute__((packed)) PathBeneathAttr {
  std::uint64_t allowed_access;
  std::int32_t parent_fd;
};

constexpr std::uint64_t READ = EXECUTE | READ_FILE | READ_DIR;
constexpr std::uint64_t OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;
// Device nodes cannot be made: nothing in a sandbox needs one.
constexpr std::uint64_t WRITE = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SOCK |
                                MAKE_FIFO | MAKE_SYM | REFER | TRUNCATE;
constexpr std::uint64_t USE_DEVICE = READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | IOCTL_DEV;

const char *const HARMLESS_DEVICES[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                        "/dev/random", "/dev/urandom", "/dev/tty"};
// Not all of /dev: a process of root's owns its disks too. /dev/dxg is the GPU under WSL.
const char *const GPU_DEVICES[] = {"/dev/nvidia*", "/dev/dxg", "/dev/dri", "/dev/kfd"};
const char *const SYSTEM_FOLDERS[] = {"/bin", "/dev",  "/etc",  "/gnu",  "/lib", "/lib32", "/lib64", "/libx32",
                                      "/nix", "/opt",  "/proc", "/sbin", "/sys", "/usr",   "/run"};

std::uint64_t known_to(int abi) {
  return ALL_OF_ABI_1 | (abi >= 2 ? REFER : 0) | (abi >= 3 ? TRUNCATE : 0) | (abi >= 5 ? IOCTL_DEV : 0);
}

std::string real(const std::string &path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) == nullptr ? path : resolved;
}

bool is_below(const std::string &path, const std::string &folder) {
  return path == folder || folder == "/" || path.compare(0, folder.size() + 1, folder + "/") == 0;
}

/**
 * Landlock has no rule that takes away, so everything beside the hidden paths is allowed one by one. What is
 * created beside them later cannot be read.
 */
void read_all_but(const std::string &folder, const std::vector<std::string> &hidden, std::vector<PathRule> &rules) {
  DIR *open_folder = opendir(folder.c_str());
  if (open_folder == nullptr) return;
  const std::string prefix = folder == "/" ? "/" : folder + "/";
  while (const dirent *entry = readdir(open_folder)) {
    const std::string name = entry->d_name;
    const std::string path = prefix + name;
    struct stat about;
    // A link would allow what it leads to.
    if (name == "." || name == ".." || lstat(path.c_str(), &about) != 0 || S_ISLNK(about.st_mode)) continue;
    const auto holds = [&](const std::string &one) { return is_below(one, path); };
    if (std::none_of(hidden.begin(), hidden.end(), holds)) {
      rules.push_back({path, READ});
    } else if (std::find(hidden.begin(), hidden.end(), path) == hidden.end()) {
      read_all_but(path, hidden, rules);
    }
  }
  closedir(open_folder);
}

bool allow(int ruleset, const char *path, std::uint64_t rights) {
  const int fd = open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat about;
  if (fstat(fd, &about) == 0 && !S_ISDIR(about.st_mode)) rights &= OF_FILES;
  const PathBeneathAttr rule{rights, fd};
  const bool added = syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0) == 0;
  close(fd);
  return added;
}

}  // namespace

int landlock_abi() {
  const long abi = syscall(SYS_landlock_create_ruleset, nullptr, 0, CREATE_RULESET_VERSION);
  return abi < 0 ? 0 : static_cast<int>(abi);
}

LandlockRules landlock_rules(const SandboxPolicy &policy) {
  LandlockRules rules;
  for (const std::string &folder : policy.writable) rules.always.push_back({real(folder), WRITE});
  for (const char *device : HARMLESS_DEVICES) rules.always.push_back({device, USE_DEVICE});
  if (policy.devices) {
    for (const char *pattern : GPU_DEVICES) {
      glob_t found;
      if (glob(pattern, 0, nullptr, &found) == 0) {
        for (std::size_t i = 0; i < found.gl_pathc; i++) rules.always.push_back({found.gl_pathv[i], USE_DEVICE});
        globfree(&found);
      }
    }
  }
  // Python's locks are files there; without a mount namespace it is the machine's.
  if (policy.devices || policy.processes) rules.always.push_back({"/dev/shm", WRITE & ~EXECUTE});

  if (policy.readable.empty()) {
    rules.read.push_back({"/", READ});
  } else {
    for (const std::string &path : policy.readable) rules.read.push_back({real(path), READ});
    for (const char *path : SYSTEM_FOLDERS) rules.read.push_back({path, READ});
  }
  std::vector<std::string> hidden;
  for (const std::string &path : policy.hidden) hidden.push_back(real(path));
  rules.read_without_hidden.push_back({"/", READ_DIR});
  for (const PathRule &rule : rules.read) {
    const auto inside = [&](const std::string &one) { return is_below(one, rule.path); };
    if (std::any_of(hidden.begin(), hidden.end(), inside)) {
      read_all_but(rule.path, hidden, rules.read_without_hidden);
    } else {
      rules.read_without_hidden.push_back(rule);
    }
  }
  // What is writable is readable, down to its last file.
  rules.hides = std::none_of(hidden.begin(), hidden.end(), [&](const std::string &one) {
    return std::any_of(rules.always.begin(), rules.always.end(),
                       [&](const PathRule &rule) { return is_below(one, rule.path); });
  });
  return rules;
}

bool apply_landlock(int abi, const LandlockRules &rules, bool hidden_by_mounts, bool deny_tcp, bool write_proc) {
  const std::uint64_t known = known_to(abi);
  const RulesetAttr attr{known, abi >= 4 && deny_tcp ? TCP : 0, abi >= 6 ? SCOPES : 0};
  // A kernel takes a longer structure as long as what it does not know is zero.
  const int ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0));
  if (ruleset < 0) return false;
  for (const PathRule &rule : rules.always) allow(ruleset, rule.path.c_str(), rule.rights & known);
  for (const PathRule &rule : hidden_by_mounts ? rules.read : rules.read_without_hidden)
    allow(ruleset, rule.path.c_str(), rule.rights & known);
  allow(ruleset, write_proc ? "/proc" : "/proc/self", (WRITE_FILE | TRUNCATE) & known);
  const bool confined = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  close(ruleset);
  return confined;
}

}  // namespace pawl
