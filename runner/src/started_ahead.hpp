#pragma once

#include <memory>

#include "candidate.hpp"
#include "device.hpp"
#include "scratch_folder.hpp"

namespace pawl {

/** A candidate's process, with the one folder that it may write to. */
struct StartedCandidate {
  /** Ends after the process that may write to it. */
  std::unique_ptr<ScratchFolder> scratch;
  std::unique_ptr<Candidate> process;
};

/**
 * The process of the next candidate, which starts while results of the one before are compared. It holds no kernel
 * code, and no interval is timed before it has started, so that it disturbs none.
 */
class StartedAhead {
 public:
  StartedAhead() = default;
  StartedAhead(const StartedAhead &) = delete;
  StartedAhead &operator=(const StartedAhead &) = delete;
  ~StartedAhead() { drop(); }

  bool has_begun() const { return started_.process != nullptr; }
  void begin(Device &device, CandidateStart start);
  /** Until it has started. One that could not is forgotten: the next is then started when it is wanted. */
  void wait();
  /** The process, where it was started as this one would be; empty otherwise. What does not fit is ended. */
  StartedCandidate take(const CandidateStart &wanted);
  void drop();

 private:
  Device *device_ = nullptr;
  CandidateStart start_;
  StartedCandidate started_;
};

/** Starts a candidate with a folder of its own, where it is confined. */
StartedCandidate start_now(Device &device, CandidateStart start);

}  // namespace pawl
