#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "candidate.hpp"
#include "case_contents.hpp"
#include "device.hpp"
#include "device_memory.hpp"
#include "guarded_buffer.hpp"
#include "kept_tensor.hpp"
#include "problem.hpp"
#include "tamper.hpp"
#include "watch/sleep_watch.hpp"

namespace pawl {

/**
 * Whether an element that holds the bytes 0xFF was never written: no kernel writes that NaN, except that PyTorch on a
 * CPU rounds every NaN to it in bf16, and that 8-bit floats have few NaNs. Integers may hold anything.
 */
inline bool has_poison(pawl_dtype dtype) {
  return is_floating(dtype) && dtype != PAWL_BF16 && dtype_bytes(dtype) > 1;
}

/** A case with its buffers: several sets of all tensors, guarded, which the candidate shares. */
class PreparedCase {
 public:
  /** `sets` 0: as many as the device finds right. `generator`: what makes inputs, where their fills do not. */
  PreparedCase(Device &device, Candidate &candidate, Problem problem, const Json &variant, std::uint64_t seed,
               std::size_t sets, Guard guard = Guard::canaries, InputGenerator *generator = nullptr);
  ~PreparedCase();
  PreparedCase(const PreparedCase &) = delete;
  PreparedCase &operator=(const PreparedCase &) = delete;

  Candidate &candidate() const { return candidate_; }
  /** With the elements of every tensor one after the other, as `take` copies them. */
  const Problem &problem() const { return plain_; }
  std::uint64_t seed() const { return seed_; }
  std::size_t set_count() const { return sets_.size(); }
  std::size_t workspace_bytes() const { return workspace_.empty() ? 0 : workspace_[0].bytes(); }
  /** Where an output lies. */
  void *data(std::size_t set, std::size_t tensor) const { return sets_[set].buffers[tensor].data(); }
  /** A copy of a tensor, its elements one after the other. */
  KeptTensor take(std::size_t set, std::size_t tensor) const;

  /** The memory that a run on a set works on: its tensors and the workspace. */
  std::vector<Region> memory_of(std::size_t set) const;

  /**
   * The kernel has made what it prepares of a set's present contents; before every run, and not part of what it takes.
   * All tensors that it may not prepare from are out of sight meanwhile: what it finds at their addresses is poison,
   * and what it could make of that is wrong.
   */
  void make_ready(std::size_t set);
  /** What was prepared so far: how often, how long it took in the middle, and the most memory that a set keeps. */
  struct Preparations {
    std::vector<double> ms;
    double bytes = 0;
  };
  /** What the kernel prepared for a set lies in its own memory: on a host it does this itself. */
  void put_out_of_caches(std::size_t set);
  const Preparations &preparations() const { return preparations_; }
  /** Captures calls on set 0 into a graph, and again whenever something else is prepared for them. */
  void capture(std::int64_t calls);

  /** One call of the kernel, waited for. */
  void run_once(std::size_t set);
  void run_watched(std::size_t set, SleepWatch &watch);
  /** One timed interval. */
  RunOutcome run(const Run &run);
  /** What putting outputs into place may take after an interval, where the kernel returns them. */
  double finishing_ms();
  /** The next set in turn, across requests. */
  std::size_t next_set() { return next_set_++ % sets_.size(); }

  /** Fills inputs and inouts of a set and remembers their hashes. */
  void fill_set(std::size_t set, std::uint64_t seed);
  /** Other, unpredictable values of one input by its fill. */
  void fill_anew(std::size_t set, const std::string &input);
  /** The same, with recorded tensors as they are recorded, to the last element. */
  void fill_as_recorded(std::size_t set, std::uint64_t seed);
  /** Whether contents of another seed have other values throughout: some input is not recorded. */
  bool contents_differ() const { return contents_.differ(); }
  /** What the inputs and inouts of a set hashed to when they were filled. */
  std::uint64_t input_hash(std::size_t set) const;
  /** Puts inout tensors of a set back to their first values, which runs have changed. */
  void restore_inouts(std::size_t set);
  void poison_outputs(std::size_t set, unsigned char integer_pattern = 0xFF);
  /** Makes new contents ready for `renew`, so many at most; what is made here takes no time between timed calls. */
  void stock_up(std::size_t count);
  /** All contents are new, if some are in stock: made by `stock_up`, or made now where that is quick. */
  bool renew(std::size_t set);
  /**
   * Other contents at the same addresses, cheaply: a few elements of every input and inout take values that are a
   * hash of `key`. Those that the call before changed, and inouts as a whole, take their first values again, and
   * with key 0 that is all. Where a generator makes inputs, they are other ones of it, out of a few.
   */
  void freshen(std::size_t set, std::uint64_t key);
  /** What the contents of a set can be made again from. */
  struct Origin {
    std::uint64_t seed;
    std::size_t stream;
    /** Of inputs that the kernel prepares from, where they stay while others change. */
    std::uint64_t lasting_seed;
    std::size_t lasting_stream;
  };
  Origin origin_of(std::size_t set) const {
    const Set &own = sets_[set];
    return {own.seed, own.stream, own.lasting_seed, own.lasting_stream};
  }
  /** The contents of that origin, after `freshen(set, key)` where the key is not 0, whatever the kernel has done since. */
  void recreate(std::size_t set, const Origin &origin, std::uint64_t key);
  /** Of everything that a call writes. */
  std::uint64_t output_hash(std::size_t set);
  /** A floating-point output of which some elements, chosen at random now, were not written; nullptr: none. */
  const TensorSpec *glance(std::size_t set);
  /** Other bytes beside the buffers of a set and the workspace, or the usual ones again, where there are any. */
  void vary_canaries(std::size_t set, bool extreme);

  /** Before a series of runs: first contents and canaries, poison in every set, no set has run. */
  void arm();
  /**
   * After runs: canaries of every buffer, hashes of inputs, and optionally unwritten outputs of sets that ran.
   * Inputs have their first contents then; what a kernel wrote is left alone.
   */
  std::vector<Tamper> inspect(bool search_outputs);

 private:
  /** What inputs and inouts hold at first, in the order of the tensors. */
  struct Contents {
    std::uint64_t seed = 0;
    /** Contents of one seed differ from set to set: of which they are. */
    std::size_t stream = 0;
    std::vector<DeviceMemory> tensors;
    std::vector<std::uint64_t> hashes;
  };

  struct Set {
    std::vector<GuardedBuffer> buffers;
    std::vector<std::uint64_t> input_hashes;
    std::uint64_t seed = 0;
    std::size_t stream = 0;
    std::uint64_t lasting_seed = 0;
    std::size_t lasting_stream = 0;
    /** The process that holds what was prepared of the present contents; -1: none. */
    pid_t ready_in = -1;
    bool was_ready = false;
    /** On the host, a copy of the first contents: putting it back takes as long as putting new ones there. */
    std::optional<Contents> first;
    /** Of the last `freshen`; 0: the contents are those of `seed`. */
    std::uint64_t fresh_key = 0;
    /** First values of the inouts, in order, once `freshen` needs them often. */
    std::vector<DeviceMemory> first_values;
    bool has_first_values = false;
    bool touched = false;
  };

  Device &device_;
  Candidate &candidate_;
  /** As the kernel gets it. */
  Problem problem_;
  std::uint64_t seed_;
  Guard guard_;
  CaseContents contents_;
  Problem plain_;
  std::vector<Set> sets_;
  std::vector<GuardedBuffer> workspace_;  // none or one
  std::vector<GuardedBuffer> prepared_;   // none or one for each set
  std::vector<Contents> stock_;
  std::vector<Contents> spare_;
  std::vector<Region> canaries_;
  std::uint64_t canary_hash_ = 0;
  bool canaries_varied_ = false;
  std::size_t next_set_ = 0;
  std::string aliased_;
  bool prepares_;
  Preparations preparations_;
  std::optional<double> copying_ms_;
  /** By tensor: what is put back when the kernel has prepared. */
  std::vector<std::optional<DeviceMemory>> hidden_;
  std::int64_t captured_calls_ = 0;

  void add_set();
  void fill_set(std::size_t set, std::uint64_t seed, std::size_t stream);
  void fill_changing(std::size_t set, std::uint64_t seed, std::size_t stream);
  bool changes(std::size_t tensor) const { return !problem_.tensors[tensor].is_pure_output() && !contents_.stay(tensor); }
  /** Contents that the kernel prepared from are others now, unless those inputs stay. */
  void contents_changed(std::size_t set) {
    if (contents_.are_made_together()) sets_[set].ready_in = -1;
  }
  void hide(std::size_t set);
  void reveal(std::size_t set);
  void fill_tensor(std::size_t set, std::size_t tensor, void *data);
  Contents make_contents(std::uint64_t seed, std::size_t stream);
  void put(std::size_t set, const Contents &contents);
  /** 0: contents are too large to hold several of them. */
  std::size_t most_in_stock() const;
  /** The same on a device, from what it takes there to write as much. */
  double copying_ms();
  bool copies_are_cheaper() const { return !device_.pace().has_stream; }
  void keep_first_values(std::size_t set);
  /** The inputs' half of `freshen`; inouts too where they hold their first values. */
  void refresh(std::size_t set, std::uint64_t key, bool with_inouts);
  void count_canaries();
  Region input_region(const Set &set, std::size_t tensor) const {
    return {set.buffers[tensor].data(), set.buffers[tensor].bytes(), tensor};
  }
  /** Each search is one question to the device, and names the tensor only when the answer was bad. */
  void find_overwritten(std::vector<Tamper> &found);
  void find_changed_inputs(std::vector<Tamper> &found);
  void find_unwritten(std::vector<Tamper> &found);
  /** The tensor that a candidate's sentence begins with; empty: none of this case. */
  std::string named_first(const std::string &message) const;
};

}  // namespace pawl
