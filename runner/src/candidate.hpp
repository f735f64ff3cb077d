#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

#include "candidate/place.hpp"
#include "device.hpp"
#include "json.hpp"
#include "output_relay.hpp"
#include "problem.hpp"
#include "sandbox/sandbox.hpp"
#include "warm_python.hpp"
#include "wire.hpp"

namespace pawl {

/** How a candidate process is started, and what it loads. */
struct CandidateStart {
  std::vector<std::string> command;
  /** What it starts as a copy of, rather than by its command; null: nothing. */
  std::shared_ptr<WarmPython> warm;
  std::vector<std::string> environment;
  /** Of the environment, what was asked for in place of the usual. */
  Json variables = Json::object();
  bool cuda = false;
  int device_index = 0;
  std::vector<int> cpus;
  bool sanitized = false;
  /** Whether it is put into a sandbox; a profiler or sanitizer around it could not work in one. */
  bool confined = true;
  /** Whether a profiler or sanitizer around the judge follows it to this process. */
  bool followed = false;
  /** The one folder that it may write to; empty: none. */
  std::string scratch;
  std::string folder = "/";
  /** The request `load`, without its name. */
  Json code;
  /** What the library's bytes must hash to; empty: anything. */
  std::string sha256;
};

/** What one interval took, by the clock inside the candidate and by the judge's own. */
struct RunOutcome {
  double inside_ms = 0;
  double outside_ms = 0;
  double clock_mhz = 0;
  bool timed_out = false;
  double busy_after_ms = 0;
  /** An output that is an input in disguise, where the kernel returns outputs; empty: none. */
  std::string aliased;
};

/** Memory that a kernel asks for with a case: for all calls, and for each set that it prepares. */
struct WantedMemory {
  std::size_t workspace_bytes = 0;
  std::size_t prepared_bytes = 0;
};

/** What making something of a set's inputs took by the judge's clock, and what it says that it keeps on the device. */
struct Preparation {
  double ms = 0;
  double device_bytes = 0;
};

/** What a round trip to the candidate costs besides the work, found out before any kernel code was there. */
struct RoundTrip {
  double typical_ms = 0;
  double high_ms = 0;
};

/**
 * The process that holds kernel code, as the judge sees it. Everything that comes back from it is a claim: times are
 * held against the judge's clock, results are looked at in memory, and the rest is only told.
 */
class Candidate {
 public:
  Candidate(const Sharing &sharing, CandidateStart start);
  /** One whose process starts while something else is done: `await_start` and `take` come before everything else. */
  static std::unique_ptr<Candidate> ahead(const Sharing &sharing, CandidateStart start);
  Candidate(const Candidate &) = delete;
  Candidate &operator=(const Candidate &) = delete;
  ~Candidate();

  /** Waits for the process of a candidate that was started ahead. */
  void await_start();
  /** It is to load this code, and time is measured with it from here on. */
  void take(Json code, std::string sha256);
  /** Loads the kernel's code; what it tells of itself. */
  Json load();
  /** Hands over a case; the memory that it wants. `sets`: memory by set and tensor. */
  WantedMemory prepare(const Problem &problem, const Json &variant, std::size_t guard_bytes,
                       const std::vector<std::vector<const void *>> &sets);
  void use_workspace(const void *memory, std::size_t offset, std::size_t bytes);
  void use_prepared(std::size_t set, const void *memory, std::size_t offset, std::size_t bytes);
  void forget();
  /** It is not asked anything more. Its end is waited for when it is destroyed. */
  void begin_end();
  /** The kernel makes what calls on a set use beside its tensors. */
  Preparation prepare_inputs(std::size_t set);
  /** What it made lies in no cache then. */
  void evict(std::size_t set);
  /** Device memory that it keeps only for its next call is free for others. */
  void give_back();

  /** No thread of the kernel's process runs until it is asked for something: none computes on what is being put there. */
  void freeze();
  /** The kernel runs, and nothing else does until it is done. */
  RunOutcome run(const Run &run);
  /** One call, waited for. */
  RunOutcome call(std::size_t set) { return run(Run::once(set)); }
  /** Throws `unsupported` with the reason where calls cannot be captured. The candidate may be a new one then. */
  void capture(std::size_t set, std::int64_t batch);
  void profile(std::int64_t launches);
  /** `launches` and `notes`, where the device tells. */
  Json launches();
  Facts settings();
  double heap_bytes();

  /** The process that makes the calls, and the one that everything it starts ends with. */
  pid_t pid() const { return pid_; }
  pid_t guard() const { return spawned_.pid; }
  /** Functions of Python return their outputs, which are then put into place one after the other. */
  bool returns_outputs() const { return start_.code.find("module") != nullptr; }
  OutputRelay &output() const { return *output_; }
  const RoundTrip &round_trip() const { return round_trip_; }
  /**
   * Which share of round trips to an empty candidate that works for so long cost no more than this now: little on a busy
   * machine. What shares a CPU with others waits as long as it worked, so that only long round trips show it, and those
   * before which the judge works for `before_ms`, as it does before a call.
   */
  double quick_share(double limit_ms, double lasting_ms, double before_ms);
  /** What a round trip to an empty candidate costs after a rest, and when it lasts: CPUs that slept wake slowly. */
  double rested_round_trip_ms();
  const std::vector<std::string> &protections() const { return spawned_.protections; }
  /** Inodes of the memory that the judge handed over. */
  const std::set<std::uint64_t> &given() const { return given_; }

 private:
  struct Handed {
    const void *memory;
    std::int64_t number;
  };

  const Sharing &sharing_;
  CandidateStart start_;
  Spawned spawned_{-1, -1, {}};
  pid_t pid_ = -1;
  std::unique_ptr<Wire> wire_;
  std::unique_ptr<OutputRelay> output_;
  RoundTrip round_trip_;
  bool starting_ = false;
  /** Who was on the device when the process was started. */
  std::vector<int> before_;
  bool frozen_ = false;
  std::vector<Handed> handed_;
  std::int64_t next_memory_ = 0;
  std::set<std::uint64_t> given_;
  /** To be said again to a candidate that takes the place of one that died. */
  bool loaded_ = false;
  std::optional<Json> case_;
  std::optional<Json> workspace_;
  std::vector<Json> prepared_;

  struct Ahead {};
  Candidate(const Sharing &sharing, CandidateStart start, Ahead);

  void begin();
  /** Starts the process, and leaves it to itself. */
  void launch();
  std::vector<double> excesses_ms(bool rested = false, double lasting_ms = 0, double before_ms = 0);
  void thaw();
  RoundTrip measure_round_trip();
  /** Profilers and sanitizers write at the end. */
  bool has_last_word() const { return !start_.confined || start_.sanitized; }
  void end();
  /** Ends what is left of it, and forgets it. */
  void bury();
  /** Another process in the state that this one was prepared to. */
  void replace();
  Json ask(Json request, int descriptor = -1);
  Json answer();
  std::int64_t hand_over(const void *memory);
  [[noreturn]] void died();
};

}  // namespace pawl
