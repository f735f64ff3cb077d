#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <sched.h>
#include <time.h>

#include "../device.hpp"
#include "../error.hpp"
#include "../plain_arithmetic.hpp"
#include "cache_evictor.hpp"
#include "cache_walk.hpp"
#include "cpu_info.hpp"
#include "in_parts.hpp"
#include "pin.hpp"
#include "shared_memory.hpp"

namespace pawl {
namespace {

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

/** A batch lasts 1,000 ticks of the clock, and at least 20 µs. */
double least_batch_ms() {
  timespec tick{};
  clock_getres(CLOCK_MONOTONIC, &tick);
  const double tick_ms = static_cast<double>(tick.tv_sec) * 1e3 + static_cast<double>(tick.tv_nsec) * 1e-6;
  return std::max(1000 * tick_ms, 0.020);
}

struct Nothing {
  void add(const Nothing &) {}
};

struct ComparedPart : Compared {
  void add(const ComparedPart &other) {
    tally.add(other.tally);
    spread.add(other.spread);
  }
};

struct DifferencePart : Difference {
  void add(const DifferencePart &other) {
    unwritten += other.unwritten;
    differing += other.differing;
  }
};

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

  Pace pace() const override { return {least_batch_ms(), std::int64_t(1) << 40, false}; }
  std::vector<int> cpus() const override { return cpus_; }

  void *allocate(std::size_t bytes) override { return shared_.allocate(enough(bytes)); }
  std::pair<int, std::size_t> shared(const void *data) const override { return shared_.shared(data); }
  void stir() const override { walk_.through(); }
  void *allocate_scratch(std::size_t bytes) override {
    void *data = std::aligned_alloc(256, enough((bytes + 255) / 256 * 256));
    if (data == nullptr) throw RunnerError("out-of-memory", std::to_string(bytes) + " bytes are not to be had");
    return data;
  }
  void release(void *data) override {
    if (!shared_.release(data)) std::free(data);
  }
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

  void fill_view(void *data, pawl_dtype dtype, const View &view, const Fill &fill, std::uint64_t key) override {
    const PlainArithmetic plain;
    for (std::size_t i = 0; i < view.elements; ++i) fill_viewed(data, dtype, view, fill, key, i);
  }
  void refresh_view(const Refresh &t, const View &view) override {
    const PlainArithmetic plain;
    const std::size_t changed = fresh_count(view.elements);
    for (std::size_t i = 0; t.undone_key != 0 && i < changed; ++i)
      refresh_viewed(t.data, t.dtype, view, t.fill, t.undone_key, t.base_key, i);
    for (std::size_t i = 0; t.fresh_key != 0 && i < changed; ++i)
      refresh_viewed(t.data, t.dtype, view, t.fill, t.fresh_key, t.fresh_key, i);
  }
  void gather(void *elements, const void *storage, const View &view, std::size_t element_bytes) override {
    in_parts<Nothing>(view.elements, [&](Nothing &, std::size_t i) {
      copy_element(elements, i, storage, view.place(i), element_bytes);
    });
  }
  void scatter(void *storage, const void *elements, const View &view, std::size_t element_bytes) override {
    // One after the other: elements may share a place.
    for (std::size_t i = 0; i < view.elements; ++i) copy_element(storage, view.place(i), elements, i, element_bytes);
  }

  void widen(void *wide, pawl_dtype wide_dtype, const void *data, pawl_dtype dtype, std::size_t count) override {
    in_parts<Nothing>(count, [&](Nothing &, std::size_t i) { widen_element(wide, wide_dtype, data, dtype, i); });
  }
  void write(const Written &written, const Answer &answer) override {
    in_parts<Nothing>(written.count, [&](Nothing &, std::size_t i) { write_element(written, answer, i); });
  }
  Compared compare(const Comparison &comparison) override {
    const double *powers = ErrorSpread::powers().data();
    return in_parts<ComparedPart>(comparison.count, [&](ComparedPart &part, std::size_t i) {
      const ComparedElement element = compare_element(comparison, i);
      part.tally.add(element, i);
      ++part.spread.counts[ErrorSpread::place(element.error, element.exact, powers)];
    });
  }
  Difference difference(const TwoRuns &runs) override {
    return in_parts<DifferencePart>(
        runs.count, [&](DifferencePart &part, std::size_t i) { add_difference(part, runs, i); });
  }
  Description describe(const Described &described) override {
    return in_parts<Description>(described.count,
                                 [&](Description &part, std::size_t i) { add_described(part, described, i); });
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

  std::size_t spare_bytes() override { return std::size_t(512) << 20; }

  /** Eviction empties the caches; a few sets keep a kernel from recognising its buffers by address. */
  std::size_t default_sets(std::size_t bytes_per_set) override {
    constexpr std::size_t MOST_SETS = 4;
    const std::size_t bytes = std::max<std::size_t>(bytes_per_set, 1);
    const std::size_t fitting = cpu_free_bytes() / 4 / bytes;
    return std::clamp<std::size_t>(fitting, 1, MOST_SETS);
  }
  void empty_caches(const std::vector<Region> &regions) override { evictor_.evict(regions); }
  std::string caches_note() const override { return evictor_.note(); }

 private:
  std::vector<int> cpus_;
  CpuCaches caches_;
  CacheEvictor evictor_;
  SharedMemory shared_;
  mutable CacheWalk walk_;

  /** Asked first: Linux promises more than it has, and the OOM killer would end the process without a word. */
  static std::size_t enough(std::size_t bytes) {
    const std::size_t free_now = cpu_free_bytes();
    if (bytes > free_now)
      throw RunnerError("out-of-memory", std::to_string(bytes) + " bytes were asked for and " +
                                             std::to_string(free_now) + " are free");
    return bytes;
  }
};

}  // namespace

std::unique_ptr<Device> make_cpu_device(int threads) { return std::make_unique<CpuDevice>(choose_cpus(threads)); }

}  // namespace pawl
