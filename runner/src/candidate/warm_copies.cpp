/** The native part of a warm Python (runner/python/pawl_candidate/warm.py): it hears what is wanted, and makes copies. */
#include <sys/socket.h>
#include <unistd.h>

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../error.hpp"
#include "../warm_requests.hpp"
#include "../wire.hpp"
#include "pawl_candidate.h"

namespace pawl {
namespace {

/** The descriptors of the copy that is asked for next, with the numbers that it will know them by. */
std::vector<std::pair<int, int>> kept;
std::string request;

void drop_kept() {
  for (const auto &[from, to] : kept) close(from);
  kept.clear();
}

Wire &judge() {
  static Wire wire(WARM_SOCKET);
  return wire;
}

}  // namespace
}  // namespace pawl

extern "C" __attribute__((visibility("default"))) const char *pawl_warm_next(void) {
  pawl::drop_kept();
  try {
    while (std::optional<pawl::Parcel> parcel = pawl::judge().receive()) {
      const pawl::Fields fields(parcel->body, "a request");
      if (fields.text("op") == "keep") {
        pawl::kept.emplace_back(parcel->descriptor, static_cast<int>(fields.integer("as", 0, 1 << 10)));
        continue;
      }
      pawl::request = parcel->body.text();
      return pawl::request.c_str();
    }
  } catch (const std::exception &) {
    // Who says something else is not the judge.
  }
  return nullptr;
}

extern "C" __attribute__((visibility("default"))) void pawl_warm_become(void) {
  try {
    const pawl::Json body = pawl::Json::parse(pawl::request);
    const pawl::Fields fields(body, "copy");
    const pawl::Spawned spawned =
        pawl::continue_confined(pawl::read_policy(fields.object("policy")),
                                static_cast<pid_t>(fields.integer("parent", 0)), fields.text("folder"), pawl::kept);
    if (spawned.pid == 0) return;
    pawl::judge().send(pawl::Json::object()
                           .set("pid", static_cast<std::int64_t>(spawned.pid))
                           .set("protections", pawl::Json::list(spawned.protections)),
                       spawned.status_fd);
  } catch (const std::exception &error) {
    pawl::judge().send(pawl::Json::object().set("message", error.what()));
  }
  _exit(0);
}
