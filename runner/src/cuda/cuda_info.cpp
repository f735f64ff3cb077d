#include "cuda_info.hpp"

#include <cuda_runtime.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "nvml.hpp"
#include "process_watch.hpp"

namespace pawl {
namespace {

void require(cudaError_t error, const char *what) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

std::string pci_bus_id(int device) {
  char text[32] = {};
  require(cudaDeviceGetPCIBusId(text, sizeof text, device), "cudaDeviceGetPCIBusId");
  return text;
}

struct Watched {
  explicit Watched(int device) : nvml(pci_bus_id(device)), processes(nvml) {}
  NvmlDevice nvml;
  ProcessWatch processes;
};

Watched &watched(int device) {
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<Watched>> devices;
  const std::lock_guard<std::mutex> guard(mutex);
  std::unique_ptr<Watched> &entry = devices[device];
  if (entry == nullptr) entry = std::make_unique<Watched>(device);
  return *entry;
}

/** 13000 is CUDA 13.0, 12080 is 12.8. */
std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string uuid_text(const cudaUUID_t &uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    char byte[4];
    std::snprintf(byte, sizeof byte, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    text += byte;
    if (i == 3 || i == 5 || i == 7 || i == 9) text += '-';
  }
  return text;
}

/** The kernel module says its version also where NVML is missing. */
std::optional<std::string> driver_version() {
  if (const auto version = NvmlDevice::driver_version()) return version;
  std::ifstream file("/sys/module/nvidia/version");
  std::string line;
  if (std::getline(file, line)) return line;
  return std::nullopt;
}

void set_if(Json &json, const char *name, const std::optional<double> &value) {
  if (value) json.set(name, *value);
}

/** A clock from CUDA's attributes, in kHz there. */
std::optional<double> attribute_mhz(cudaDeviceAttr attribute, int device) {
  int khz = 0;
  if (cudaDeviceGetAttribute(&khz, attribute, device) != cudaSuccess || khz <= 0) return std::nullopt;
  return khz / 1000.0;
}

}  // namespace

void watch_cuda_processes(int device) { watched(device); }
void note_cuda_context(int device) { watched(device).processes.context_made(); }
std::vector<int> cuda_processes(int device) { return watched(device).processes.processes(); }
void note_cuda_candidate(int device, const std::vector<int> &before) {
  watched(device).processes.candidate_started(before);
}

Json cuda_device_info(int device) {
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  int driver = 0, runtime = 0;
  require(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  require(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  const NvmlDevice &nvml = watched(device).nvml;

  Json info = Json::object();
  info.set("kind", "cuda")
      .set("name", properties.name)
      .set("index", device)
      .set("uuid", nvml.uuid().value_or(uuid_text(properties.uuid)))
      .set("pci_bus_id", pci_bus_id(device));
  if (const auto version = driver_version()) info.set("driver", *version);
  info.set("cuda_driver", version_text(driver))
      .set("cuda_runtime", version_text(runtime))
      .set("compute_capability", std::to_string(properties.major) + "." + std::to_string(properties.minor))
      .set("sm_count", properties.multiProcessorCount)
      .set("memory_bytes", static_cast<std::uint64_t>(properties.totalGlobalMem))
      .set("l2_bytes", properties.l2CacheSize)
      .set("smem_optin_bytes", static_cast<std::uint64_t>(properties.sharedMemPerBlockOptin))
      .set("smem_per_sm_bytes", static_cast<std::uint64_t>(properties.sharedMemPerMultiprocessor))
      .set("registers_per_sm", properties.regsPerMultiprocessor)
      .set("threads_per_sm", properties.maxThreadsPerMultiProcessor);
  auto sm_mhz = nvml.sm_clock_max_mhz();
  set_if(info, "sm_clock_max_mhz", sm_mhz ? sm_mhz : attribute_mhz(cudaDevAttrClockRate, device));
  auto memory_mhz = nvml.memory_clock_max_mhz();
  set_if(info, "memory_clock_max_mhz", memory_mhz ? memory_mhz : attribute_mhz(cudaDevAttrMemoryClockRate, device));
  if (properties.memoryBusWidth > 0) info.set("memory_bus_bits", properties.memoryBusWidth);
  return info;
}

Json cuda_device_state(int device) {
  const Watched &seen = watched(device);
  const NvmlDevice &nvml = seen.nvml;
  Json state = Json::object();
  set_if(state, "temperature_c", nvml.temperature_c());
  set_if(state, "sm_clock_mhz", nvml.sm_clock_mhz());
  set_if(state, "memory_clock_mhz", nvml.memory_clock_mhz());
  set_if(state, "power_w", nvml.power_w());
  set_if(state, "power_limit_w", nvml.power_limit_w());
  set_if(state, "utilization_pct", nvml.utilization_pct());
  set_if(state, "memory_used_bytes", nvml.memory_used_bytes());
  if (const auto mask = nvml.clock_event_reasons()) state.set("throttle_mask", *mask);
  if (const auto pids = seen.processes.foreign_pids()) state.set("foreign_pids", Json::list(*pids));
  return state;
}

std::map<std::string, std::string> cuda_device_settings(int device) { return watched(device).nvml.settings(); }

std::optional<std::uint64_t> cuda_throttle_mask(int device) { return watched(device).nvml.clock_event_reasons(); }

}  // namespace pawl
