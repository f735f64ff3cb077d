#include "oracle.hpp"

#include <exception>

#include "error.hpp"

namespace pawl {

Oracle::Oracle(const std::string &path, const std::string &function, Memory memory)
    : library_(path),
      memory_(memory),
      compute_(reinterpret_cast<Function>(library_.symbol(function.c_str()))),
      reference_(reinterpret_cast<Function>(library_.optional_symbol("pawl_reference"))) {}

void Oracle::run(Function function, const pawl_call &call, const char *whose) const {
  const std::string who = "the oracle " + name() + whose;
  int status = 0;
  try {
    status = function(&call);
  } catch (const std::exception &error) {
    throw RunnerError("load-failed", who + " threw an exception: " + error.what());
  }
  if (status != 0) throw RunnerError("load-failed", who + " returned " + std::to_string(status));
}

}  // namespace pawl
