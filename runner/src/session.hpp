#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "candidate.hpp"
#include "channel.hpp"
#include "device.hpp"
#include "fields.hpp"
#include "oracle.hpp"
#include "prepared_case.hpp"
#include "sampling.hpp"
#include "scratch_folder.hpp"
#include "started_ahead.hpp"
#include "timed_guard.hpp"
#include "watch/candidate_watch.hpp"

namespace pawl {

/**
 * A judge's conversation with the orchestrator: reads requests, does them in order, answers each. It serves one
 * candidate after another; the device, its context and the oracles stay.
 */
class Session {
 public:
  explicit Session(Channel &channel) : channel_(channel) {}
  /** Until `quit` or the end of the requests; the process's exit status. */
  int serve();

 private:
  Channel &channel_;
  std::unique_ptr<Device> device_;
  int device_index_ = 0;
  int threads_ = 0;
  /** Oracles write to a folder that no candidate can reach: what lies in caches there is code that they run. */
  ScratchFolder oracle_scratch_;
  /** What processes for Python are copies of. */
  std::shared_ptr<WarmPython> warm_;
  /** What the last candidate in Python was written for; empty: none was there. */
  std::string framework_;
  /** Oracles stay loaded: a check of the next case asks for the same one. */
  std::map<std::string, std::unique_ptr<Oracle>> oracles_;
  /** What makes inputs and what judges outputs, likewise. */
  std::map<std::string, std::unique_ptr<PythonFunction>> functions_;
  /** For the case that is prepared. */
  std::unique_ptr<InputGenerator> generator_;
  /** Ends after the candidate that may write to it. */
  std::unique_ptr<ScratchFolder> scratch_;
  /** Where objects that the candidate compiled are kept; empty: nowhere. */
  std::string objects_;
  /** For the next candidate, where `open` asks for it. */
  StartedAhead ahead_;
  /** How the next candidate is started, where it is to be started ahead. */
  std::optional<CandidateStart> next_;
  std::unique_ptr<Candidate> candidate_;
  std::unique_ptr<CandidateWatch> watch_;
  std::unique_ptr<PreparedCase> prepared_;
  std::unique_ptr<TimedKernel> timed_;
  /** What lies beside the buffers of every case of this session. */
  Guard guard_ = Guard::canaries;
  /** How a process for Python is started, where one was named. */
  std::optional<CandidateStart> python_;
  /** Inputs that the kernel prepares from, by name. */
  std::vector<std::string> prepared_of_;
  /** How one is started for libraries that serve the judge. */
  CandidateStart serving_;
  /** Timed repetitions so far: no two have the same contents. */
  std::uint64_t repetitions_ = 0;
  KeptResults kept_;

  Json perform(const std::string &op, const Fields &request);
  Json open(const Fields &request);
  /** The device that a request names: the one before it, where that is the same. */
  void take_device(bool cuda, int index, int threads);
  /** Ends the candidate and drops its case. */
  void close();
  CandidateStart candidate_start(const Fields &request, bool cuda);
  /** Processes for Python start as copies of one that has this imported, where that is known and they are confined. */
  void keep_warm(const std::string &framework);
  Json prepare(const Fields &request);
  /** The next candidate, where it is wanted ahead: while nothing is timed. */
  void start_next();
  Json check(const Fields &request);
  Json sample(const Fields &request);
  /** Once, neither timed nor checked: what compiles in a first call has done so then. */
  Json call();
  Json profile(const Fields &request);
  PreparedCase &prepared() const;
  /** The oracle that a request names, loaded if it is not yet. */
  const Oracle &oracle(const Fields &code);
  const Oracle &python_oracle(const Fields &code);
  /** What makes inputs or judges outputs, by its role. */
  PythonFunction &function(const Fields &code, const char *role);
  /** What a request names to say what is right, for as long as it is done. */
  struct NamedJudges;
  /** How a process for Python is started; `wanted` is what needs one. */
  const CandidateStart &python(const char *wanted) const;
};

}  // namespace pawl
