#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device.hpp"
#include "json.hpp"
#include "kernel_library.hpp"
#include "problem.hpp"

namespace pawl {

/** Memory between two canaries. */
class GuardedBuffer {
 public:
  GuardedBuffer(Device &device, std::size_t bytes);
  GuardedBuffer(const GuardedBuffer &) = delete;
  GuardedBuffer(GuardedBuffer &&other) noexcept;
  ~GuardedBuffer();

  void *data() const;
  std::size_t bytes() const { return bytes_; }
  void write_canaries();
  /** Adds both canaries to a list of regions. */
  void list_canaries(std::vector<Region> &regions) const;
  /** Says which canary was overwritten ("before", "after"), or nullptr. */
  const char *overwritten() const;

 private:
  Device &device_;
  void *base_;
  std::size_t bytes_;
};

/** What a detector saw. */
struct Tamper {
  const char *detector;
  std::string tensor;
  std::string message;
};
Json tampering_json(const std::vector<Tamper> &tampering);

/** A case with its buffers: several sets of all tensors, guarded, and the kernel that runs on them. */
class PreparedCase {
 public:
  /** `sets` 0: as many as the device finds right. */
  PreparedCase(Device &device, const KernelLibrary &kernel, Problem problem, std::uint64_t seed, std::size_t sets);
  PreparedCase(const PreparedCase &) = delete;
  PreparedCase &operator=(const PreparedCase &) = delete;

  const Problem &problem() const { return problem_; }
  std::size_t set_count() const { return sets_.size(); }
  std::size_t workspace_bytes() const { return workspace_.empty() ? 0 : workspace_[0].bytes(); }
  void *data(std::size_t set, std::size_t tensor) const { return sets_[set].buffers[tensor].data(); }

  /** The memory that a run on a set works on: its tensors and the workspace. */
  std::vector<Region> memory_of(std::size_t set) const;

  /** Launches the kernel; the status is the kernel's. Kept short: it is inside timed intervals. */
  int run(std::size_t set) {
    sets_[set].touched = true;
    return kernel_.run(&sets_[set].call);
  }
  /** For work on a set that does not go through `run`: a replayed graph. */
  void mark_touched(std::size_t set) { sets_[set].touched = true; }
  [[noreturn]] void fail(int status) const { kernel_.fail(status); }
  /** The next set in turn, across requests. */
  std::size_t next_set() { return next_set_++ % sets_.size(); }

  /** Fills the inputs of a set and remembers their hashes. */
  void fill_set(std::size_t set, std::uint64_t seed);
  std::uint64_t seed() const { return seed_; }
  /** Puts inout tensors of a set back to their first values, which runs have changed. */
  void restore_inouts(std::size_t set, std::uint64_t seed);
  void poison_outputs(std::size_t set, unsigned char integer_pattern = 0xFF);
  /** Changes a few elements of every input of a set, after putting back what was changed before; 0: only that. */
  void freshen(std::size_t set, std::uint64_t key);
  /** Before a series of runs: poison every set, refill inouts, forget which sets ran. */
  void arm();
  /** After runs: canaries of every buffer, hashes of inputs, and optionally unwritten outputs of sets that ran. */
  std::vector<Tamper> inspect(bool search_outputs);

 private:
  struct Set {
    std::vector<GuardedBuffer> buffers;
    std::vector<std::uint64_t> input_hashes;
    std::vector<pawl_tensor> tensors;
    pawl_call call;
    bool touched = false;
    std::uint64_t fill_seed = 0;
    std::uint64_t fresh_key = 0;
  };

  Device &device_;
  const KernelLibrary &kernel_;
  Problem problem_;
  std::uint64_t seed_;
  std::vector<pawl_dim> dims_;
  std::vector<Set> sets_;
  std::vector<GuardedBuffer> workspace_;  // none or one
  std::vector<Region> canaries_;
  std::uint64_t canary_hash_ = 0;
  std::size_t next_set_ = 0;

  void add_set();
  void change_pairs(std::size_t set, std::uint64_t key, bool back);
  Region input_region(const Set &set, std::size_t tensor) const {
    return {set.buffers[tensor].data(), set.buffers[tensor].bytes(), tensor};
  }
  /** Each search is one question to the device, and names the tensor only when the answer was bad. */
  void find_overwritten(std::vector<Tamper> &found);
  void find_changed_inputs(std::vector<Tamper> &found);
  void find_unwritten(std::vector<Tamper> &found);
};

}  // namespace pawl
