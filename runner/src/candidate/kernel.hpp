#pragma once

#include <cstddef>
#include <cstdint>

#include "../error.hpp"
#include "../fields.hpp"
#include "../json.hpp"
#include "mapped_case.hpp"

namespace pawl {

/** What is judged, as the candidate process calls it: a function of a library, or one of a Python module. */
class Kernel {
 public:
  virtual ~Kernel() = default;

  /** Makes ready what is the same for all kernels of its language, before any of their code runs. */
  virtual void start(const Fields &) {}
  /**
   * Loads its code: the first moment at which any of it runs. `descriptor` is the file as the judge read it, or -1.
   * Returns what is worth telling of it.
   */
  virtual Json load(const Fields &request, int descriptor) = 0;
  /** Takes a case; the bytes of workspace that a call on it wants. */
  virtual std::size_t prepare(const MappedCase &mapped, const Fields &request, void *stream) = 0;
  virtual void use_workspace(void *data, std::size_t bytes) = 0;
  /** Calls launch on this stream from now on. */
  virtual void use_stream(void *stream) = 0;
  virtual void forget() = 0;
  /** The bytes of memory that it wants for each set, for what it makes of inputs. */
  virtual std::size_t prepared_bytes() { return 0; }
  virtual void use_prepared(std::size_t, void *, std::size_t) {}
  /** Makes what calls on a set use beside its tensors, of those that it may be made of. What is to be told. */
  virtual Json prepare_inputs(std::size_t) {
    throw RunnerError("unsupported", "this kernel prepares nothing");
  }
  /** On a host: puts what was made for a set out of all caches. */
  virtual void evict(std::size_t) {}
  /** Device memory that its language's allocator keeps for the next call goes back to others. */
  virtual void give_back() {}

  /** One call on a set. Kept short: it is inside timed intervals. Not 0: see `fail`. */
  virtual int run(std::size_t set) = 0;
  /** After the interval: the outputs of the last call on a set are where the judge looks for them. What is to be told. */
  virtual Json finish(std::size_t) { return Json::object(); }
  [[noreturn]] virtual void fail(int status) const = 0;

  /** Whether it captures its calls into graphs itself, as frameworks do; `run_captured` then runs what it captured. */
  virtual bool captures() const { return false; }
  virtual void capture(std::size_t, std::int64_t) {}
  virtual int run_captured() { return 0; }
  /** Names of the functions that one call launches, where its language knows better than the device does. */
  virtual bool list_launches(std::size_t, Json &) { return false; }
  /** Bytes in use that an allocator of its language's own gave, once everything is freed that waits for it. */
  virtual double own_heap_bytes() { return 0; }
  /** Settings of its language that it must not change: texts by name. */
  virtual Json own_settings() { return Json::object(); }
};

}  // namespace pawl
