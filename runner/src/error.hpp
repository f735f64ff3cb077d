#pragma once

#include <stdexcept>
#include <string>

namespace pawl {

/** A failure that has a code in docs/protocol.md; anything else that is thrown is answered as `internal`. */
class RunnerError : public std::runtime_error {
 public:
  RunnerError(std::string code, const std::string &message)
      : std::runtime_error(message), code_(std::move(code)) {}
  const std::string &code() const { return code_; }

 private:
  std::string code_;
};

[[noreturn]] inline void bad_request(const std::string &message) {
  throw RunnerError("bad-request", message);
}

}  // namespace pawl
