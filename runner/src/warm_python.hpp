#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sandbox/sandbox.hpp"
#include "wire.hpp"

namespace pawl {

/**
 * A Python that has imported frameworks and runs no candidate's code: processes for Python start as copies of it, in
 * milliseconds where an import of PyTorch takes seconds. Copies are confined before they load anything, as other
 * candidates are (runner/python/pawl_candidate/warm.py).
 */
class WarmPython {
 public:
  /** `command`: as a candidate is started. */
  WarmPython(std::vector<std::string> command, std::vector<std::string> environment);
  WarmPython(const WarmPython &) = delete;
  WarmPython &operator=(const WarmPython &) = delete;
  ~WarmPython();

  /** It starts and imports while the caller goes on, which the first copy would wait for. */
  void start();
  /** Copies that start from now on have it. Whatever goes wrong with it goes wrong again, and is told, in a copy. */
  void import(const std::string &framework);
  /** As spawn_confined(); nothing where this process is gone, or cannot make copies here. */
  std::optional<Spawned> copy(const SandboxPolicy &policy, const std::vector<std::string> &environment,
                              const std::string &folder, const std::vector<std::pair<int, int>> &keep);
  bool starts_as(const std::vector<std::string> &command, const std::vector<std::string> &environment) const {
    return command == command_ && environment == environment_;
  }

 private:
  std::vector<std::string> command_, environment_;
  Spawned spawned_{-1, -1, {}};
  std::unique_ptr<Wire> wire_;
  std::vector<std::string> frameworks_;

  bool is_started_ = false;

  void tell_import(const std::string &framework);
  void end();
};

}  // namespace pawl
