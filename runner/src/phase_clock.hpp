#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "json.hpp"

namespace pawl {

/** Where the time of a request goes: `lap` gives what passed since the lap before to a phase. */
class PhaseClock {
 public:
  void lap(const char *phase) {
    const auto now = Clock::now();
    const double ms = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
    for (auto &[name, sum] : phases_)
      if (name == phase) {
        sum += ms;
        return;
      }
    phases_.emplace_back(phase, ms);
  }
  Json json() const {
    Json result = Json::object();
    for (const auto &[name, ms] : phases_) result.set(name, ms);
    return result;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
  /** In the order in which they first came. */
  std::vector<std::pair<std::string, double>> phases_;
};

}  // namespace pawl
