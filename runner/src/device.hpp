#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answer.hpp"
#include "error_spread.hpp"
#include "fill.hpp"
#include "json.hpp"
#include "view.hpp"

namespace pawl {

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

/** How an output compares with what is right. */
struct Compared {
  Tally tally;
  ErrorSpread spread;
};

/** Memory that can be handed to another process. */
class Sharing {
 public:
  virtual ~Sharing() = default;
  /** A descriptor of shared memory, which this keeps, and how many bytes there are to map. */
  virtual std::pair<int, std::size_t> shared(const void *data) const = 0;
  /** The processes on the device now, by the numbers that the device knows them by. */
  virtual std::vector<int> processes() const { return {}; }
  /** Who is given memory has started, and was not among `before`: it is not a stranger on the device. */
  virtual void candidate_started(const std::vector<int> &before) const { static_cast<void>(before); }
  /** Leaves the device as preparing a run does, so that an empty run pays for finding it so, as real runs do. */
  virtual void stir() const {}
};

/** What the samples of a device are like. */
struct Pace {
  /** Shorter calls are timed in batches in hot mode that last about this long ... */
  double batch_ms;
  /** ... but have no more calls than this. */
  std::int64_t most_calls;
  /** Launches can be queued behind a stream that is held, and replayed as a graph. */
  bool has_stream;
};

/**
 * What a kernel runs on, as the judge uses it: memory that it shares with the candidate, contents, hashes, caches and
 * state. No code of a kernel's runs in this process. Every failure is a RunnerError.
 */
class Device : public Sharing {
 public:
  virtual Json info() = 0;
  virtual Json state() = 0;
  virtual std::vector<std::string> modes() const = 0;
  virtual std::map<std::string, std::string> versions() const = 0;
  virtual Pace pace() const = 0;
  /** CPUs that the candidate is pinned to; empty: it may use all. */
  virtual std::vector<int> cpus() const { return {}; }

  /** Memory that can be handed to the candidate, 256-byte aligned. */
  virtual void *allocate(std::size_t bytes) = 0;
  /** The same for what serves the judge, such as an oracle: no part of what the kernel needs. */
  virtual void *allocate_beside(std::size_t bytes) { return allocate(bytes); }
  /** For the judge's own use, for a while: no part of what the kernel needs. */
  virtual void *allocate_scratch(std::size_t bytes) = 0;
  virtual void release(void *data) = 0;
  virtual void set_bytes(void *data, unsigned char value, std::size_t bytes) = 0;
  virtual void copy_to_host(void *host, const void *data, std::size_t bytes) = 0;
  virtual void copy_from_host(void *data, const void *host, std::size_t bytes) = 0;
  virtual void copy(void *to, const void *from, std::size_t bytes) = 0;
  virtual void fill(void *data, pawl_dtype dtype, std::size_t count, const Fill &fill, std::uint64_t key) = 0;
  /** See `refresh_element`. Queued like a launch: nothing is waited for. */
  virtual void refresh(const std::vector<Refresh> &tensors) = 0;
  /** The same where a tensor is a view: `data` is its storage, and elements outside of the view stay as they are. */
  virtual void fill_view(void *data, pawl_dtype dtype, const View &view, const Fill &fill, std::uint64_t key) = 0;
  virtual void refresh_view(const Refresh &tensor, const View &view) = 0;
  /** The elements of a view one after the other, and back into the storage. */
  virtual void gather(void *elements, const void *storage, const View &view, std::size_t element_bytes) = 0;
  virtual void scatter(void *storage, const void *elements, const View &view, std::size_t element_bytes) = 0;
  /** Every element into a type that holds it without rounding. */
  virtual void widen(void *wide, pawl_dtype wide_dtype, const void *data, pawl_dtype dtype, std::size_t count) = 0;
  virtual void write(const Written &written, const Answer &answer) = 0;
  virtual Compared compare(const Comparison &comparison) = 0;
  virtual Difference difference(const TwoRuns &runs) = 0;
  virtual Description describe(const Described &described) = 0;
  /** Waits for what was queued, and throws its error. */
  virtual void wait() = 0;
  /** The sum of the regions' hashes: many regions cost one wait for the device. */
  virtual std::uint64_t hash(const std::vector<Region> &regions) = 0;
  /** Elements that still hold the 0xFF pattern. */
  virtual std::size_t count_poisoned(const std::vector<Elements> &searched) = 0;

  /**
   * Takes a random amount of memory away until `leave_place`, so that what is allocated next lies somewhere else. Where a
   * large tensor lies moves the time of a kernel that is bound by memory by up to 11 % on an H200.
   */
  virtual void draw_place() {}
  virtual void leave_place() {}
  /** A candidate has started and loaded nothing yet, and none waits beside it. */
  virtual void candidate_is_empty() {}
  /** A candidate that was started ahead is ready, or has ended: its context does not count as what a kernel needs. */
  virtual void candidate_waits(bool) {}

  /** Bytes that the judge may hold for later, beside what it needs now. */
  virtual std::size_t spare_bytes() = 0;
  /** Buffer sets to rotate among when the request does not say. */
  virtual std::size_t default_sets(std::size_t bytes_per_set) = 0;
  /** The judge's own stream, for oracles in device memory; null on a CPU. */
  virtual void *stream() { return nullptr; }
  /** Puts memory out of every cache. */
  virtual void empty_caches(const std::vector<Region> &regions) = 0;
  /** What `empty_caches` leaves undone; empty: nothing. */
  virtual std::string caches_note() const { return ""; }

  /** Memory taken from the device, where it has memory of its own. */
  virtual std::optional<double> used_bytes() { return std::nullopt; }
  /** The most that was taken for a candidate, as far as it was looked at. */
  virtual std::optional<double> memory_peak_bytes() { return std::nullopt; }
  /** What was counted for a candidate is forgotten. */
  virtual void candidate_ended() {}
  /** Why the clocks are where they are; absent where the device does not tell. */
  virtual std::optional<std::uint64_t> throttle_mask() { return std::nullopt; }
  /** Adds settings of the device that no process owns. */
  virtual void list_settings(Facts &) {}
};

/** For kernels on `threads` CPUs, to which the calling thread is pinned as well. */
std::unique_ptr<Device> make_cpu_device(int threads);
/** Null in a judge that was built without CUDA. */
__attribute__((weak)) std::unique_ptr<Device> make_cuda_device(int index);

}  // namespace pawl
