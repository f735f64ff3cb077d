#include "nvml.hpp"

#include <dlfcn.h>

namespace pawl {
namespace {

// The few declarations of NVML's C interface that are used; nvml.h is not part of every toolkit.
using Status = int;
using Handle = void *;
constexpr Status SUCCESS = 0;
constexpr Status INSUFFICIENT_SIZE = 7;
constexpr int TEMPERATURE_GPU = 0;
constexpr int CLOCK_SM = 1;
constexpr int CLOCK_MEM = 2;

struct Utilization {
  unsigned int gpu;
  unsigned int memory;
};
struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};
/** nvmlProcessInfo_t of versions 2 and 3 of the call. */
struct ProcessInfo {
  unsigned int pid;
  unsigned long long used_gpu_memory;
  unsigned int gpu_instance_id;
  unsigned int compute_instance_id;
};

/** NVML's functions; each is null where this driver's library has it not. */
struct Functions {
  Status (*handle_by_pci)(const char *, Handle *) = nullptr;
  Status (*driver_version)(char *, unsigned int) = nullptr;
  Status (*temperature)(Handle, int, unsigned int *) = nullptr;
  Status (*clock)(Handle, int, unsigned int *) = nullptr;
  Status (*max_clock)(Handle, int, unsigned int *) = nullptr;
  Status (*power)(Handle, unsigned int *) = nullptr;
  Status (*power_limit)(Handle, unsigned int *) = nullptr;
  Status (*utilization)(Handle, Utilization *) = nullptr;
  Status (*memory)(Handle, Memory *) = nullptr;
  Status (*uuid)(Handle, char *, unsigned int) = nullptr;
  Status (*event_reasons)(Handle, unsigned long long *) = nullptr;
  Status (*application_clock)(Handle, int, unsigned int *) = nullptr;
  Status (*set_power_limit)(Handle, unsigned int *) = nullptr;
  Status (*compute_mode)(Handle, int *) = nullptr;
  Status (*processes)(Handle, unsigned int *, ProcessInfo *) = nullptr;
};

template <typename Function>
void find(void *library, Function &function, std::initializer_list<const char *> names) {
  for (const char *name : names)
    if (function == nullptr) function = reinterpret_cast<Function>(dlsym(library, name));
}

const Functions &nvml() {
  static const Functions functions = [] {
    Functions found;
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return found;
    Status (*init)() = nullptr;
    find(library, init, {"nvmlInit_v2"});
    if (init == nullptr || init() != SUCCESS) return found;
    find(library, found.handle_by_pci, {"nvmlDeviceGetHandleByPciBusId_v2"});
    find(library, found.driver_version, {"nvmlSystemGetDriverVersion"});
    find(library, found.temperature, {"nvmlDeviceGetTemperature"});
    find(library, found.clock, {"nvmlDeviceGetClockInfo"});
    find(library, found.max_clock, {"nvmlDeviceGetMaxClockInfo"});
    find(library, found.power, {"nvmlDeviceGetPowerUsage"});
    find(library, found.power_limit, {"nvmlDeviceGetEnforcedPowerLimit"});
    find(library, found.utilization, {"nvmlDeviceGetUtilizationRates"});
    find(library, found.memory, {"nvmlDeviceGetMemoryInfo"});
    find(library, found.uuid, {"nvmlDeviceGetUUID"});
    // Renamed in driver 535; the old name stays for older drivers.
    find(library, found.event_reasons,
         {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
    find(library, found.application_clock, {"nvmlDeviceGetApplicationsClock"});
    find(library, found.set_power_limit, {"nvmlDeviceGetPowerManagementLimit"});
    find(library, found.compute_mode, {"nvmlDeviceGetComputeMode"});
    find(library, found.processes,
         {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
    return found;
  }();
  return functions;
}

/** A reading of one unsigned integer, scaled. */
template <typename Function, typename... Arguments>
std::optional<double> reading(double unit, Function function, Handle handle, Arguments... arguments) {
  unsigned int value = 0;
  if (handle == nullptr || function == nullptr || function(handle, arguments..., &value) != SUCCESS)
    return std::nullopt;
  return value * unit;
}

constexpr double MILLIWATT = 1e-3;

}  // namespace

NvmlDevice::NvmlDevice(const std::string &pci_bus_id) {
  if (nvml().handle_by_pci != nullptr && nvml().handle_by_pci(pci_bus_id.c_str(), &handle_) != SUCCESS)
    handle_ = nullptr;
}

std::optional<double> NvmlDevice::temperature_c() const {
  return reading(1, nvml().temperature, handle_, TEMPERATURE_GPU);
}
std::optional<double> NvmlDevice::sm_clock_mhz() const { return reading(1, nvml().clock, handle_, CLOCK_SM); }
std::optional<double> NvmlDevice::memory_clock_mhz() const { return reading(1, nvml().clock, handle_, CLOCK_MEM); }
std::optional<double> NvmlDevice::sm_clock_max_mhz() const { return reading(1, nvml().max_clock, handle_, CLOCK_SM); }
std::optional<double> NvmlDevice::memory_clock_max_mhz() const {
  return reading(1, nvml().max_clock, handle_, CLOCK_MEM);
}
std::optional<double> NvmlDevice::power_w() const { return reading(MILLIWATT, nvml().power, handle_); }
std::optional<double> NvmlDevice::power_limit_w() const { return reading(MILLIWATT, nvml().power_limit, handle_); }

std::optional<double> NvmlDevice::utilization_pct() const {
  Utilization value{};
  if (handle_ == nullptr || nvml().utilization == nullptr || nvml().utilization(handle_, &value) != SUCCESS)
    return std::nullopt;
  return value.gpu;
}

std::optional<double> NvmlDevice::memory_used_bytes() const {
  Memory value{};
  if (handle_ == nullptr || nvml().memory == nullptr || nvml().memory(handle_, &value) != SUCCESS)
    return std::nullopt;
  return static_cast<double>(value.used);
}

std::optional<std::string> NvmlDevice::uuid() const {
  char text[96] = {};  // NVML_DEVICE_UUID_V2_BUFFER_SIZE
  if (handle_ == nullptr || nvml().uuid == nullptr || nvml().uuid(handle_, text, sizeof text) != SUCCESS)
    return std::nullopt;
  return text;
}

std::optional<std::uint64_t> NvmlDevice::clock_event_reasons() const {
  unsigned long long mask = 0;
  if (handle_ == nullptr || nvml().event_reasons == nullptr || nvml().event_reasons(handle_, &mask) != SUCCESS)
    return std::nullopt;
  return mask;
}

std::map<std::string, std::string> NvmlDevice::settings() const {
  std::map<std::string, std::string> found;
  const auto note = [&](const char *name, std::optional<double> value) {
    if (value) found[name] = std::to_string(*value);
  };
  note("application SM clock", reading(1, nvml().application_clock, handle_, CLOCK_SM));
  note("application memory clock", reading(1, nvml().application_clock, handle_, CLOCK_MEM));
  note("power limit", reading(MILLIWATT, nvml().set_power_limit, handle_));
  int mode = 0;
  if (handle_ != nullptr && nvml().compute_mode != nullptr && nvml().compute_mode(handle_, &mode) == SUCCESS)
    found["compute mode"] = std::to_string(mode);
  return found;
}

std::optional<std::vector<int>> NvmlDevice::compute_pids() const {
  if (handle_ == nullptr || nvml().processes == nullptr) return std::nullopt;
  // Room for processes that start between two calls; the library says when it was not enough.
  std::vector<ProcessInfo> infos(64);
  unsigned int count = static_cast<unsigned int>(infos.size());
  Status status = nvml().processes(handle_, &count, infos.data());
  if (status == INSUFFICIENT_SIZE) {
    infos.resize(count + 64u);
    count = static_cast<unsigned int>(infos.size());
    status = nvml().processes(handle_, &count, infos.data());
  }
  if (status != SUCCESS) return std::nullopt;
  std::vector<int> pids;
  for (unsigned int i = 0; i < count; ++i) pids.push_back(static_cast<int>(infos[i].pid));
  return pids;
}

std::optional<std::string> NvmlDevice::driver_version() {
  char text[80] = {};  // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
  if (nvml().driver_version == nullptr || nvml().driver_version(text, sizeof text) != SUCCESS) return std::nullopt;
  return text;
}

}  // namespace pawl
