#include "cpu_info.hpp"

#include "arm_core_name.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include <dirent.h>
#include <unistd.h>

namespace pawl {
namespace {

/** Instruction sets that kernels are written for; others are noise in a fingerprint. */
const char *const FEATURES[] = {"sse4_2",  "avx",         "avx2",        "fma",         "f16c",     "avx512f",
                                "avx512bw", "avx512vl",    "avx512_vnni", "avx512_bf16", "avx512_fp16", "avx_vnni",
                                "amx_tile", "amx_bf16",    "amx_int8",    "asimd",       "asimdhp",  "sve",
                                "sve2",     "bf16"};

std::optional<std::string> read_line(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return line;
}

/** The value of `name: value` in a file such as /proc/cpuinfo, of the nth such line. */
std::optional<std::string> read_entry(const std::string &path, const std::string &name, int nth = 0) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::string key = line.substr(0, colon);
    key.erase(key.find_last_not_of(" \t") + 1);
    if (key != name || nth-- > 0) continue;
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return std::nullopt;
}

/** "48K", "2048K", "300M", or a plain number with a unit after a space (/proc: kB). */
std::optional<std::size_t> parse_size(const std::optional<std::string> &text) {
  if (!text) return std::nullopt;
  char *end = nullptr;
  const unsigned long long value = std::strtoull(text->c_str(), &end, 10);
  if (end == text->c_str()) return std::nullopt;
  while (*end == ' ') ++end;
  const std::size_t unit = *end == 'K' || *end == 'k' ? 1024u : *end == 'M' ? 1024u * 1024u : 1u;
  return static_cast<std::size_t>(value) * unit;
}

/** How many CPUs a list such as "0-3,8" names. */
std::size_t count_cpus(const std::string &list) {
  std::size_t count = 0;
  std::stringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) {
    int first = 0, last = 0;
    const int read = std::sscanf(part.c_str(), "%d-%d", &first, &last);
    if (read == 2) count += static_cast<std::size_t>(std::max(0, last - first + 1));
    if (read == 1) ++count;
  }
  return count;
}

std::optional<std::size_t> sysconf_size(int name) {
  const long value = sysconf(name);
  if (value <= 0) return std::nullopt;
  return static_cast<std::size_t>(value);
}

std::size_t online_cpus() { return sysconf_size(_SC_NPROCESSORS_ONLN).value_or(1); }

void set_size(Json &json, const char *name, const std::optional<std::size_t> &bytes) {
  if (bytes) json.set(name, static_cast<std::uint64_t>(*bytes));
}

/** Degrees of the hottest package sensor. */
std::optional<double> package_temperature() {
  std::optional<double> hottest;
  DIR *zones = opendir("/sys/class/thermal");
  if (zones == nullptr) return hottest;
  while (const dirent *entry = readdir(zones)) {
    const std::string zone = std::string("/sys/class/thermal/") + entry->d_name;
    const std::optional<std::string> type = read_line(zone + "/type");
    if (!type || (type->find("pkg") == std::string::npos && type->find("cpu") == std::string::npos)) continue;
    if (const std::optional<std::string> text = read_line(zone + "/temp")) {
      const double celsius = std::strtod(text->c_str(), nullptr) / 1000;  // sysfs has millidegrees
      hottest = std::max(hottest.value_or(celsius), celsius);
    }
  }
  closedir(zones);
  return hottest;
}

/** Without a name, a measurement belongs to no device class, and no baseline takes it. */
std::optional<std::string> cpu_name() {
  const std::string info = "/proc/cpuinfo";
  if (const auto name = read_entry(info, "model name")) return name;
  const auto implementer = read_entry(info, "CPU implementer"), part = read_entry(info, "CPU part");
  if (implementer && part) return arm_core_name(*implementer, *part);
  return read_line("/sys/firmware/devicetree/base/model");
}

}  // namespace

CpuCaches read_cpu_caches(int cpu) {
  CpuCaches caches;
  const std::string root = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index";
  for (int index = 0; index < 8; ++index) {
    const std::string folder = root + std::to_string(index);
    const std::optional<std::string> level = read_line(folder + "/level");
    const std::optional<std::size_t> size = parse_size(read_line(folder + "/size"));
    if (!level || !size || read_line(folder + "/type") == "Instruction") continue;
    if (*level == "1") caches.l1d_bytes = size;
    if (*level == "2") caches.l2_bytes = size;
    if (*level == "3") {
      caches.l3_bytes = size;
      caches.l3_sharers = count_cpus(read_line(folder + "/shared_cpu_list").value_or(""));
    }
  }
  if (!caches.l1d_bytes) caches.l1d_bytes = sysconf_size(_SC_LEVEL1_DCACHE_SIZE);
  if (!caches.l2_bytes) caches.l2_bytes = sysconf_size(_SC_LEVEL2_CACHE_SIZE);
  if (!caches.l3_bytes) {
    caches.l3_bytes = sysconf_size(_SC_LEVEL3_CACHE_SIZE);
    caches.l3_sharers = online_cpus();
  }
  caches.l3_sharers = std::max<std::size_t>(caches.l3_sharers, 1);
  return caches;
}

Json cpu_info(const std::vector<int> &cpus) {
  Json info = Json::object();
  info.set("kind", "cpu").set("index", 0);
  if (const auto name = cpu_name()) info.set("name", *name);
  info.set("cores", static_cast<std::uint64_t>(online_cpus()));
  set_size(info, "memory_bytes", parse_size(read_entry("/proc/meminfo", "MemTotal")));
  const CpuCaches caches = read_cpu_caches(cpus.front());
  set_size(info, "l1d_bytes", caches.l1d_bytes);
  set_size(info, "l2_bytes", caches.l2_bytes);
  set_size(info, "l3_bytes", caches.l3_bytes);
  Json pinned = Json::array();
  for (const int cpu : cpus) pinned.add(cpu);
  info.set("cpus", std::move(pinned));

  std::optional<std::string> flags = read_entry("/proc/cpuinfo", "flags");
  if (!flags) flags = read_entry("/proc/cpuinfo", "Features");
  if (flags) {
    const std::string padded = " " + *flags + " ";
    Json features = Json::array();
    for (const char *feature : FEATURES)
      if (padded.find(std::string(" ") + feature + " ") != std::string::npos) features.add(feature);
    info.set("features", std::move(features));
  }
  return info;
}

Json cpu_state(const std::vector<int> &cpus) {
  Json state = Json::object();
  if (const auto celsius = package_temperature()) state.set("temperature_c", *celsius);
  if (const auto mhz = read_entry("/proc/cpuinfo", "cpu MHz", cpus.front()))
    state.set("sm_clock_mhz", std::strtod(mhz->c_str(), nullptr));
  if (const auto load = read_line("/proc/loadavg")) state.set("load_average", std::strtod(load->c_str(), nullptr));
  return state;
}

std::size_t cpu_free_bytes() {
  std::size_t free_bytes =
      parse_size(read_entry("/proc/meminfo", "MemAvailable")).value_or(std::numeric_limits<std::size_t>::max());
  // A container's own limit (cgroup v2, then v1); "max" reads as no number.
  for (const auto &[limit_path, used_path] :
       {std::pair("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        std::pair("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes")}) {
    const std::optional<std::size_t> limit = parse_size(read_line(limit_path));
    const std::optional<std::size_t> used = parse_size(read_line(used_path));
    if (limit && used) free_bytes = std::min(free_bytes, *limit > *used ? *limit - *used : 0);
  }
  return free_bytes;
}

std::optional<double> resident_peak_bytes(int pid) {
  const std::string status = "/proc/" + std::to_string(pid) + "/status";
  const std::optional<std::size_t> bytes = parse_size(read_entry(status.c_str(), "VmHWM"));
  if (!bytes) return std::nullopt;
  return static_cast<double>(*bytes);
}

}  // namespace pawl
