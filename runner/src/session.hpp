#pragma once

#include <map>
#include <memory>
#include <string>

#include "channel.hpp"
#include "device.hpp"
#include "fields.hpp"
#include "kernel_library.hpp"
#include "oracle.hpp"
#include "prepared_case.hpp"

namespace pawl {

/** One runner's conversation: reads requests, does them in order, answers each. */
class Session {
 public:
  explicit Session(Channel &channel) : channel_(channel) {}
  /** Until `quit` or the end of the requests; the process's exit status. */
  int serve();

 private:
  Channel &channel_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<KernelLibrary> kernel_;
  std::unique_ptr<PreparedCase> prepared_;
  /** What lies beside the buffers of every case of this session. */
  Guard guard_ = Guard::canaries;
  /** Oracles stay loaded: a check of the next case asks for the same one. */
  std::map<std::string, Oracle> oracles_;
  /** Timed repetitions so far: no two have the same contents. */
  std::uint64_t repetitions_ = 0;

  Json perform(const std::string &op, const Fields &request);
  Json open(const Fields &request);
  Json prepare(const Fields &request);
  Json check(const Fields &request);
  Json sample(const Fields &request);
  Json profile(const Fields &request);
  PreparedCase &prepared() const;
  /** The oracle that a request names, loaded if it is not yet. */
  const Oracle &oracle(const Fields &code);
};

}  // namespace pawl
