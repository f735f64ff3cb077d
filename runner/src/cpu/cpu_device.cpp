#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include <sched.h>
#include <time.h>

#include "../device.hpp"
#include "../error.hpp"
#include "../plain_arithmetic.hpp"
#include "../prepared_case.hpp"
#include "../timed_guard.hpp"
#include "../watch/host_clock.hpp"
#include "../watch/kernel_watch.hpp"
#include "cache_evictor.hpp"
#include "cpu_info.hpp"

namespace pawl {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

/** CPUs this process was given, before it pinned itself. */
const std::vector<int> &allowed_cpus() {
  static const std::vector<int> cpus = [] {
    std::vector<int> found;
    // Machines with more than CPU_SETSIZE CPUs need a larger set; the kernel says so with EINVAL.
    for (std::size_t capacity = CPU_SETSIZE; capacity <= 65536; capacity *= 2) {
      cpu_set_t *set = CPU_ALLOC(capacity);
      const std::size_t bytes = CPU_ALLOC_SIZE(capacity);
      const bool known = set != nullptr && sched_getaffinity(0, bytes, set) == 0;
      for (std::size_t cpu = 0; known && cpu < capacity; ++cpu)
        if (CPU_ISSET_S(cpu, bytes, set)) found.push_back(static_cast<int>(cpu));
      if (set != nullptr) CPU_FREE(set);
      if (known) break;
    }
    return found;
  }();
  return cpus;
}

/** The highest-numbered CPUs: CPU 0 serves most interrupts. */
std::vector<int> choose_cpus(int threads) {
  const std::vector<int> &allowed = allowed_cpus();
  const auto wanted = static_cast<std::size_t>(threads);
  if (wanted > allowed.size())
    throw RunnerError("unsupported", std::to_string(threads) + " threads were asked for, and this process may use " +
                                         std::to_string(allowed.size()) + " CPUs");
  return {allowed.end() - threads, allowed.end()};
}

/** Below this, a hot sample is a batch: 1,000 ticks of the clock, and at least 20 µs. */
double least_sample_ms() {
  timespec tick{};
  clock_getres(CLOCK_MONOTONIC, &tick);
  const double tick_ms = static_cast<double>(tick.tv_sec) * 1e3 + static_cast<double>(tick.tv_nsec) * 1e-6;
  return std::max(1000 * tick_ms, 0.020);
}

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(std::vector<int> cpus)
      : cpus_(std::move(cpus)), caches_(read_cpu_caches(cpus_.front())), evictor_(cpus_, caches_) {
    pin_to(cpus_);
  }

  Json info() override { return cpu_info(cpus_); }
  Json state() override { return cpu_state(cpus_); }
  std::vector<std::string> modes() const override { return {"cold", "hot"}; }
  std::map<std::string, std::string> versions() const override {
#ifdef __clang__
    return {{"clang++", __clang_version__}};
#else
    return {{"g++", __VERSION__}};
#endif
  }

  void *allocate(std::size_t bytes) override {
    // Asked first: Linux promises more than it has, and the OOM killer would end the process without a word.
    const std::size_t free_now = cpu_free_bytes();
    const std::size_t rounded = (bytes + 255) / 256 * 256;
    void *data = rounded <= free_now ? std::aligned_alloc(256, rounded) : nullptr;
    if (data == nullptr)
      throw RunnerError("out-of-memory", std::to_string(bytes) + " bytes were asked for and " +
                                             std::to_string(free_now) + " are free");
    return data;
  }
  void release(void *data) override { std::free(data); }
  void set_bytes(void *data, unsigned char value, std::size_t bytes) override { std::memset(data, value, bytes); }
  void copy_to_host(void *host, const void *data, std::size_t bytes) override { std::memcpy(host, data, bytes); }
  void copy_from_host(void *data, const void *host, std::size_t bytes) override { std::memcpy(data, host, bytes); }
  void copy(void *to, const void *from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void wait() override {}

  void fill(void *data, pawl_dtype dtype, std::size_t count, const Fill &fill, std::uint64_t key) override {
    const PlainArithmetic plain;
    for (std::size_t pair = 0; pair < (count + 1) / 2; ++pair) fill_pair(data, dtype, count, fill, key, pair);
  }

  void refresh(const std::vector<Refresh> &tensors) override {
    const PlainArithmetic plain;
    for (const Refresh &t : tensors) {
      const std::size_t changed = fresh_count(t.count);
      for (std::size_t i = 0; t.undone_key != 0 && i < changed; ++i)
        refresh_element(t.data, t.dtype, t.count, t.fill, t.undone_key, t.base_key, i);
      for (std::size_t i = 0; t.fresh_key != 0 && i < changed; ++i)
        refresh_element(t.data, t.dtype, t.count, t.fill, t.fresh_key, t.fresh_key, i);
    }
  }

  void widen(void *wide, const void *data, pawl_dtype dtype, std::size_t count) override {
    const PlainArithmetic plain;
    for (std::size_t i = 0; i < count; ++i) widen_element(wide, wider(dtype), data, dtype, i);
  }

  std::uint64_t hash(const std::vector<Region> &regions) override {
    std::uint64_t sum = 0;
    for (const Region &region : regions) {
      const auto *bytes = static_cast<const unsigned char *>(region.data);
      for (std::size_t i = 0; i < (region.bytes + 7) / 8; ++i)
        sum += hash_word(load_word(bytes, region.bytes, i), i, region.salt);
    }
    return sum;
  }

  std::size_t count_poisoned(const std::vector<Elements> &searched) override {
    std::size_t left = 0;
    for (const Elements &elements : searched)
      for (std::size_t i = 0; i < elements.count; ++i)
        left += holds_poison(elements.data, elements.element_bytes, i) ? 1 : 0;
    return left;
  }

  /** Eviction empties the caches; a few sets keep a kernel from recognising its buffers by address. */
  std::size_t default_sets(std::size_t bytes_per_set) override {
    constexpr std::size_t MOST_SETS = 4;
    const std::size_t bytes = std::max<std::size_t>(bytes_per_set, 1);
    const std::size_t fitting = cpu_free_bytes() / 4 / bytes;
    return std::clamp<std::size_t>(fitting, 1, MOST_SETS);
  }
  void *stream() override { return nullptr; }

  void run_once(PreparedCase &prepared, std::size_t set) override {
    kernel_watch().calls().begin();
    const int status = prepared.run(set);
    kernel_watch().calls().end();
    if (status != 0) prepared.fail(status);
  }

  SampleOutcome sample(PreparedCase &prepared, const SampleRequest &request) override {
    if (request.mode == Mode::graph) throw RunnerError("unsupported", "a CPU has no graph replay");
    const bool cold = request.mode == Mode::cold;
    const auto started = Clock::now();
    SampleOutcome outcome;
    if (cold && !evictor_.note().empty()) outcome.notes.push_back(evictor_.note());
    if (!cold) calibrate(prepared);
    outcome.batch = cold ? 1 : hot_batch_;
    ClockComparison clocks(kernel_watch().clock());
    for (std::int64_t i = 0; i < request.count; ++i) {
      if (i > 0 && milliseconds(Clock::now() - started) >= request.budget_ms) break;
      const std::size_t set = cold ? prepared.next_set() : 0;
      request.guard.before(set);
      if (cold) evictor_.evict(prepared.memory_of(set));
      const Interval interval = time(prepared, set, outcome.batch);
      request.guard.after(set, outcome.batch);
      clocks.add(interval.begin, interval.end);
      outcome.timed_ms += interval.ms();
      outcome.samples_ms.push_back(interval.ms() / static_cast<double>(outcome.batch));
    }
    if (const std::optional<std::string> disagreement = clocks.disagreement())
      request.guard.found("timer-tampered", *disagreement);
    return outcome;
  }

  void profile(PreparedCase &prepared, std::int64_t launches) override {
    for (std::int64_t i = 0; i < launches; ++i) run_once(prepared, 0);
  }
  void forget_case() override { hot_batch_ = 1; }
  std::optional<double> memory_peak_bytes() override { return resident_peak_bytes(); }

 private:
  std::vector<int> cpus_;
  CpuCaches caches_;
  CacheEvictor evictor_;
  std::int64_t hot_batch_ = 1;

  struct Interval {
    Moment begin, end;
    // A call cannot take no time: the clock's own unit is the least that is reported.
    double ms() const { return static_cast<double>(std::max<std::int64_t>(end.ns - begin.ns, 1)) * 1e-6; }
  };

  Interval time(PreparedCase &prepared, std::size_t set, std::int64_t batch) {
    int status = 0;
    const HostClock &clock = kernel_watch().clock();
    const Moment before = clock.begin();
    for (std::int64_t i = 0; i < batch && status == 0; ++i) status = prepared.run(set);
    const Moment after = clock.end();
    if (status != 0) prepared.fail(status);
    return {before, after};
  }

  /** Keeps the batch of the request before where it still fits, so that a series has one batch size. */
  void calibrate(PreparedCase &prepared) {
    const double least_ms = least_sample_ms();
    time(prepared, 0, 1);  // the first call of all pays for page faults and lazy binding
    const double batch_ms = time(prepared, 0, hot_batch_).ms();
    if (batch_ms >= least_ms && (hot_batch_ == 1 || batch_ms <= 4 * least_ms)) return;
    hot_batch_ = 1;
    while (time(prepared, 0, hot_batch_).ms() < least_ms) hot_batch_ *= 2;
  }
};

}  // namespace

std::unique_ptr<Device> make_cpu_device(int threads) { return std::make_unique<CpuDevice>(choose_cpus(threads)); }

}  // namespace pawl
