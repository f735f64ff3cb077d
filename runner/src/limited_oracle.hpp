#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>

#include <sys/time.h>

#include "oracle.hpp"

namespace pawl {

/**
 * An oracle that ends the judge by SIGALRM when it is still at work shortly before the orchestrator would give the
 * request up: so it is known that the oracle hangs, and not the kernel.
 */
class LimitedOracle : public Oracle {
 public:
  using Clock = std::chrono::steady_clock;

  /** @param limit_ms of the whole request, from now on; 0 for none. */
  LimitedOracle(const Oracle &oracle, double limit_ms)
      : oracle_(oracle), limited_(limit_ms > 0),
        until_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double, std::milli>(limit_ms - margin_ms(limit_ms)))) {}

  std::string name() const override { return oracle_.name(); }
  bool has_reference() const override { return oracle_.has_reference(); }

  OracleResults run(Device &device, const Problem &problem, const KeptTensors &inputs,
                    bool with_reference) const override {
    const Alarm alarm(limited_ ? std::max(LEAST_S, seconds_left()) : 0);
    return oracle_.run(device, problem, inputs, with_reference);
  }

 private:
  /** An alarm of zero seconds would be none. */
  static constexpr double LEAST_S = 1e-3;

  class Alarm {
   public:
    explicit Alarm(double seconds) { set(seconds); }
    ~Alarm() { set(0); }
    Alarm(const Alarm &) = delete;
    Alarm &operator=(const Alarm &) = delete;

   private:
    static void set(double seconds) {
      itimerval timer{};
      timer.it_value.tv_sec = static_cast<time_t>(seconds);
      timer.it_value.tv_usec = static_cast<suseconds_t>(std::fmod(seconds, 1.0) * 1e6);
      setitimer(ITIMER_REAL, &timer, nullptr);
    }
  };

  static double margin_ms(double limit_ms) { return std::min(500.0, limit_ms / 10); }
  double seconds_left() const { return std::chrono::duration<double>(until_ - Clock::now()).count(); }

  const Oracle &oracle_;
  bool limited_;
  Clock::time_point until_;
};

}  // namespace pawl
