#include "environment.hpp"

#include <algorithm>
#include <cfenv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include <dlfcn.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "proc.hpp"

extern char **environ;

namespace pawl {
namespace {

/** Prefix of the CPU sets of threads: a smaller set is a thread's own affair, a larger one is not. */
const char *const CPU_SET = "CPU set";
/** Prefixes and names of what is a process's own affair while it loads a kernel. */
const char *const VARIABLE = "the environment variable ", *const FOLDER = "the working directory",
                  *const FILE_MASK = "the file mode mask", *const LIMIT = "the limit of ";

/** Stands for a signal handler of an installed library, which may set one whenever it likes. */
const char *const RUNTIMES_OWN = "a runtime's";

struct NamedLimit {
  const char *name;
  decltype(RLIMIT_AS) limit;
};
const NamedLimit LIMITS[] = {
    {"address space", RLIMIT_AS}, {"core size", RLIMIT_CORE},       {"CPU time", RLIMIT_CPU},
    {"data size", RLIMIT_DATA},   {"file size", RLIMIT_FSIZE},      {"locked memory", RLIMIT_MEMLOCK},
    {"files", RLIMIT_NOFILE},     {"processes", RLIMIT_NPROC},      {"stack size", RLIMIT_STACK},
    {"nice", RLIMIT_NICE},        {"real-time", RLIMIT_RTPRIO},
};

/** Runtimes note things for themselves in the environment: OpenMP's that they are loaded, PyTorch what it compiles. */
bool is_runtimes_own(const std::string &variable) {
  for (const char *prefix : {"__KMP_", "_TORCHINDUCTOR_", "TORCHINDUCTOR_", "TRITON_", "KINETO_"})
    if (variable.rfind(prefix, 0) == 0) return true;
  return false;
}

void list_variables(Facts &facts) {
  for (char **entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const char *equals = std::strchr(*entry, '=');
    if (equals == nullptr) continue;
    const std::string name(*entry, static_cast<std::size_t>(equals - *entry));
    if (!is_runtimes_own(name)) facts[VARIABLE + name] = equals + 1;
  }
}

/** Of an installed library, a runtime or a compiler: LLVM in Triton's sets some. The kernel's own was opened by descriptor. */
bool is_runtimes_own(void *handler) {
  Dl_info found{};
  return dladdr(handler, &found) != 0 && found.dli_fname != nullptr &&
         std::strncmp(found.dli_fname, "/proc/", 6) != 0;
}

void list_signals(Facts &facts) {
  // Above 31 are real-time signals, of which the C library takes some for its threads when it needs them.
  for (int signal = 1; signal < 32; ++signal) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0) continue;
    const auto handler = reinterpret_cast<void *>(action.sa_handler);
    char text[32];
    std::snprintf(text, sizeof text, "%p", handler);
    facts["the handler of signal " + std::to_string(signal)] = is_runtimes_own(handler) ? RUNTIMES_OWN : text;
  }
}

std::string cpu_list(pid_t thread) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(thread, sizeof set, &set) != 0) return "";
  std::string text;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) text += (text.empty() ? "" : ",") + std::to_string(cpu);
  return text;
}

bool names_only_cpus_of(const std::string &fewer, const std::string &more) {
  const std::string within = "," + more + ",";
  for (std::size_t at = 0; at < fewer.size();) {
    const std::size_t end = std::min(fewer.find(',', at), fewer.size());
    if (within.find("," + fewer.substr(at, end - at) + ",") == std::string::npos) return false;
    at = end + 1;
  }
  return true;
}

bool is_arrangement(const std::string &name) {
  for (const char *prefix : {VARIABLE, FOLDER, FILE_MASK, LIMIT})
    if (name.rfind(prefix, 0) == 0) return true;
  return false;
}

std::string shortened(const std::string &value) { return value.size() <= 60 ? value : value.substr(0, 57) + "..."; }

}  // namespace

std::string floating_point_control() {
  char text[64];
#if defined(__x86_64__)
  unsigned short x87 = 0;
  asm volatile("fnstcw %0" : "=m"(x87));
  // MXCSR: bits 0 to 5 are flags that arithmetic raises (Intel SDM vol. 1, 10.2.3).
  std::snprintf(text, sizeof text, "mxcsr %04x, x87 %04x", _mm_getcsr() & 0xFFC0u, static_cast<unsigned>(x87));
#elif defined(__aarch64__)
  std::uint64_t fpcr;
  asm volatile("mrs %0, fpcr" : "=r"(fpcr));
  std::snprintf(text, sizeof text, "fpcr %08llx", static_cast<unsigned long long>(fpcr));
#else
  std::snprintf(text, sizeof text, "rounding %d", std::fegetround());
#endif
  return text;
}

bool only_flushing_differs(const std::string &before, const std::string &after) {
  unsigned long long a = 0, b = 0;
#if defined(__x86_64__)
  constexpr unsigned long long FLUSHING = 0x8040;  // FZ and DAZ
  if (std::sscanf(before.c_str(), "mxcsr %llx", &a) != 1 || std::sscanf(after.c_str(), "mxcsr %llx", &b) != 1)
    return false;
#elif defined(__aarch64__)
  constexpr unsigned long long FLUSHING = 1ull << 24;  // FZ
  if (std::sscanf(before.c_str(), "fpcr %llx", &a) != 1 || std::sscanf(after.c_str(), "fpcr %llx", &b) != 1)
    return false;
#else
  constexpr unsigned long long FLUSHING = 0;
#endif
  return ((a ^ b) & ~FLUSHING) == 0;
}

Facts process_settings() {
  Facts facts;
  list_variables(facts);
  list_signals(facts);
  char folder[4096];
  facts[FOLDER] = getcwd(folder, sizeof folder) != nullptr ? folder : "";
  const mode_t mask = umask(0);
  umask(mask);
  facts[FILE_MASK] = std::to_string(mask);
  for (const NamedLimit &named : LIMITS) {
    rlimit limit{};
    if (getrlimit(named.limit, &limit) == 0)
      facts[std::string(LIMIT) + named.name] = std::to_string(limit.rlim_cur);
  }
  facts["the scheduling class"] = std::to_string(sched_getscheduler(0));
  facts["the nice value"] = std::to_string(getpriority(PRIO_PROCESS, 0));
  facts[FLOATING_POINT] = floating_point_control();
  return facts;
}

void accept_arrangements(Facts &settings, const Facts &loaded) {
  for (auto fact = settings.begin(); fact != settings.end();)
    fact = is_arrangement(fact->first) ? settings.erase(fact) : std::next(fact);
  for (const auto &[name, value] : loaded)
    if (is_arrangement(name)) settings[name] = value;
}

void list_cpu_sets(int pid, Facts &facts) {
  facts[CPU_SET] = cpu_list(pid);
  for (const int thread : numbers_in("/proc/" + std::to_string(pid) + "/task"))
    if (thread != pid) facts[std::string(CPU_SET) + " of thread " + std::to_string(thread)] = cpu_list(thread);
}

std::vector<std::string> changed_settings(const Facts &before, const Facts &after) {
  std::vector<std::string> changes;
  const std::string cpus = before.count(CPU_SET) != 0 ? before.at(CPU_SET) : "";
  for (const auto &[name, value] : after) {
    const auto known = before.find(name);
    if (name.rfind(CPU_SET, 0) == 0) {
      // Threads come and go, and may bind themselves to fewer CPUs; more than were given are more than is measured.
      // The runner's own threads, and a driver's, are older than the kernel.
      if (!(known != before.end() && known->second == value) && !names_only_cpus_of(value, cpus))
        changes.push_back("the " + name + " is " + shortened(value) + " and was " + shortened(cpus));
    } else if (known == before.end()) {
      changes.push_back(name + " was set to '" + shortened(value) + "'");
    } else if (known->second != value && value != RUNTIMES_OWN) {
      changes.push_back(name + " was '" + shortened(known->second) + "' and is '" + shortened(value) + "'");
    }
  }
  for (const auto &[name, value] : before)
    if (after.count(name) == 0 && name.rfind(CPU_SET, 0) != 0) changes.push_back(name + " was removed");
  return changes;
}

}  // namespace pawl
