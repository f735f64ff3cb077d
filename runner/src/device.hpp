#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fill.hpp"
#include "json.hpp"

namespace pawl {

class PreparedCase;
class TimedGuard;
struct AuditReport;
/** What could be changed behind Pawl's back, by name: settings of the process and of the device. */
using Facts = std::map<std::string, std::string>;

/** Memory to hash. The salt tells regions apart within one sum, so that two that swapped contents are seen. */
struct Region {
  const void *data;
  std::size_t bytes;
  std::uint64_t salt;
};

/** Elements to search for poison. */
struct Elements {
  const void *data;
  std::size_t element_bytes;
  std::size_t count;
};

/** A tensor of which a few elements take other values, and those that did so before take their first ones again. */
struct Refresh {
  void *data;
  pawl_dtype dtype;
  std::size_t count;
  Fill fill;
  /** The key of the tensor's fill. */
  std::uint64_t base_key;
  /** Keys that say which elements, and what they hold; 0: none. */
  std::uint64_t undone_key;
  std::uint64_t fresh_key;
};

enum class Mode { cold, hot, graph };

struct SampleRequest {
  Mode mode;
  std::int64_t count;
  double budget_ms;
  /** Hold the stream while launches are queued, where the device has a stream. */
  bool blocked;
  /** Told before and after every repetition, never inside an interval. */
  TimedGuard &guard;
};

struct SampleOutcome {
  std::vector<double> samples_ms;
  /** Empty where the device has no in-band clock. */
  std::vector<double> clock_mhz;
  /** Empty where the device does not tell. */
  std::vector<std::uint64_t> throttle_masks;
  std::int64_t batch = 1;
  const char *timing = "host";
  std::vector<std::string> notes;
  double timed_ms = 0;
};

/** What a kernel runs on: memory, execution, timing and state. Every failure is a RunnerError. */
class Device {
 public:
  virtual ~Device() = default;

  virtual Json info() = 0;
  virtual Json state() = 0;
  virtual std::vector<std::string> modes() const = 0;
  virtual std::map<std::string, std::string> versions() const = 0;

  /** 256-byte aligned. */
  virtual void *allocate(std::size_t bytes) = 0;
  /** For the runner's own use, for a while: no part of what the kernel needs. */
  virtual void *allocate_scratch(std::size_t bytes) { return allocate(bytes); }
  virtual void release(void *data) = 0;
  virtual void set_bytes(void *data, unsigned char value, std::size_t bytes) = 0;
  virtual void copy_to_host(void *host, const void *data, std::size_t bytes) = 0;
  virtual void copy_from_host(void *data, const void *host, std::size_t bytes) = 0;
  virtual void copy(void *to, const void *from, std::size_t bytes) = 0;
  virtual void fill(void *data, pawl_dtype dtype, std::size_t count, const Fill &fill, std::uint64_t key) = 0;
  /** See `refresh_element`. Queued like a launch: nothing is waited for. */
  virtual void refresh(const std::vector<Refresh> &tensors) = 0;
  /** Every element into the type that `wider` names. */
  virtual void widen(void *wide, const void *data, pawl_dtype dtype, std::size_t count) = 0;
  /** Waits for what was queued, and throws what came of it. */
  virtual void wait() = 0;
  /** The sum of the regions' hashes: many regions cost one wait for the device. */
  virtual std::uint64_t hash(const std::vector<Region> &regions) = 0;
  /** Elements that still hold the 0xFF pattern. */
  virtual std::size_t count_poisoned(const std::vector<Elements> &searched) = 0;

  /** Buffer sets to rotate among when the request does not say. */
  virtual std::size_t default_sets(std::size_t bytes_per_set) = 0;
  virtual void *stream() = 0;

  /** Runs the kernel once on a set and waits for it. */
  virtual void run_once(PreparedCase &prepared, std::size_t set) = 0;
  virtual SampleOutcome sample(PreparedCase &prepared, const SampleRequest &request) = 0;
  virtual void profile(PreparedCase &prepared, std::int64_t launches) = 0;
  /** Drops what was kept for the case that is being replaced (batch sizes, graphs). */
  virtual void forget_case() = 0;
  virtual std::optional<double> memory_peak_bytes() = 0;

  /** Waits for everything this process queued on the device, on every stream. */
  virtual void wait_for_all() {}
  /** Adds the device's own settings. */
  virtual void list_settings(Facts &) {}
  /** Memory taken from the device, where it has memory of its own. */
  virtual std::optional<double> used_bytes() { return std::nullopt; }
  /** Looks at what one call queues, without running it. */
  virtual void audit_launches(PreparedCase &, AuditReport &) {}
};

/** Pins the calling thread to `threads` CPUs. */
std::unique_ptr<Device> make_cpu_device(int threads);
/** Null in a runner that was built without CUDA. */
__attribute__((weak)) std::unique_ptr<Device> make_cuda_device(int index);

}  // namespace pawl
