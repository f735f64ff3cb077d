#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace pawl {

/**
 * Passes on what the candidate prints to where this process prints, and counts it: what a kernel prints must not be
 * taken for what it writes to files. Nothing of it is read as anything but text.
 */
class OutputRelay {
 public:
  OutputRelay();
  OutputRelay(const OutputRelay &) = delete;
  OutputRelay &operator=(const OutputRelay &) = delete;
  /** Ends when the candidate's ends are closed, or now, whatever comes first. */
  ~OutputRelay();

  /** The candidate's descriptors 1 and 2; closed here once the candidate has them. */
  int standard_output() const { return ends_[0][1]; }
  int standard_error() const { return ends_[1][1]; }
  void close_candidates_ends();

  std::uint64_t bytes() const { return bytes_.load(); }
  /** Returns when everything printed so far has been passed on. */
  void drain();

 private:
  int ends_[2][2] = {{-1, -1}, {-1, -1}};
  int asked_[2] = {-1, -1};
  std::atomic<std::uint64_t> bytes_{0};
  std::thread thread_;

  void pass_on();
  /** False when nothing can print there any more. */
  bool pass_on_all(int which);
};

}  // namespace pawl
