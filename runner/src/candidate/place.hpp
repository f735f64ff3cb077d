#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../device.hpp"
#include "../fields.hpp"
#include "../json.hpp"
#include "kernel.hpp"

namespace pawl {

/** Calls to be made in one interval: all sets in order, again and again. */
struct Run {
  std::vector<std::size_t> sets;
  std::int64_t repeat = 1;
  /** Hold the stream until everything is queued, where there is a stream. */
  bool blocked = false;
  /** Replay what was captured instead of calling. */
  bool captured = false;
  /** Look whether the device is idle when the interval is over; with `rest`, only after other work has ended, too. */
  bool watch = false;
  bool rest = false;
  /** For the judge's clock alone: nothing but the calls, and waiting for them. */
  bool bare = false;
  /** On a CPU: the sets are read before the interval, so that caches have them as they do in a batch's later calls. */
  bool warm = false;
  /** An empty run (`repeat` is 0) keeps its CPU busy for so long. */
  double lasting_ms = 0;

  static Run once(std::size_t set) {
    Run run;
    run.sets = {set};
    return run;
  }
};

/** Where a candidate's kernel runs: memory that the judge shares, and the clock inside. */
class Place {
 public:
  virtual ~Place() = default;

  /** Maps memory of the judge's; owns the descriptor. */
  virtual void *map(int descriptor, std::size_t bytes) = 0;
  virtual void unmap(void *data) = 0;
  virtual void *stream() { return nullptr; }
  /** What a case needs besides its memory: fences or copies for a sanitizer. */
  virtual void prepare(MappedCase &) {}
  virtual void forget() {}
  /** Memory that the kernel prepares for a set, beside its tensors. */
  virtual void use_prepared(std::size_t, void *, std::size_t) {}
  /** The kernel makes something of a set's inputs, and is waited for. */
  virtual Json prepare_inputs(Kernel &kernel, std::size_t set) { return kernel.prepare_inputs(set); }
  /** Makes the calls and says how long they took: the answer to `run`. */
  virtual Json run(Kernel &kernel, const Run &run) = 0;
  virtual void capture(Kernel &, std::size_t, std::int64_t);
  virtual void list_settings(Facts &) {}
  virtual void list_launches(Kernel &, std::size_t, Json &) {}
  virtual void profile(Kernel &kernel, std::int64_t launches) = 0;
};

/** `sanitized`: a sanitizer watches this process, and wants to see where memory ends. */
std::unique_ptr<Place> make_host_place(bool sanitized);
/** Null in a program that was built without CUDA. */
__attribute__((weak)) std::unique_ptr<Place> make_cuda_place(int index, bool sanitized);

}  // namespace pawl
