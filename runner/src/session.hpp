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
#include "timed_guard.hpp"
#include "watch/candidate_watch.hpp"

namespace pawl {

/** A judge's conversation with the orchestrator: reads requests, does them in order, answers each. */
class Session {
 public:
  explicit Session(Channel &channel) : channel_(channel) {}
  /** Until `quit` or the end of the requests; the process's exit status. */
  int serve();

 private:
  Channel &channel_;
  std::unique_ptr<Device> device_;
  /** Ends after the candidate that may write to it. */
  ScratchFolder scratch_;
  std::unique_ptr<Candidate> candidate_;
  std::unique_ptr<CandidateWatch> watch_;
  std::unique_ptr<PreparedCase> prepared_;
  std::unique_ptr<Sampling> sampling_;
  /** What lies beside the buffers of every case of this session. */
  Guard guard_ = Guard::canaries;
  /** Oracles stay loaded: a check of the next case asks for the same one. */
  std::map<std::string, std::unique_ptr<Oracle>> oracles_;
  /** How a process for Python is started, where one was named. */
  std::optional<CandidateStart> python_;
  /** Timed repetitions so far: no two have the same contents. */
  std::uint64_t repetitions_ = 0;
  KeptResults kept_;

  Json perform(const std::string &op, const Fields &request);
  Json open(const Fields &request);
  CandidateStart candidate_start(const Fields &request, bool cuda);
  Json prepare(const Fields &request);
  Json check(const Fields &request);
  Json sample(const Fields &request);
  Json profile(const Fields &request);
  PreparedCase &prepared() const;
  /** The oracle that a request names, loaded if it is not yet. */
  const Oracle &oracle(const Fields &code);
  const Oracle &python_oracle(const Fields &code);
};

}  // namespace pawl
