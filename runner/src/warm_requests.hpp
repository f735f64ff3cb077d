#pragma once

#include "fields.hpp"
#include "json.hpp"
#include "sandbox/sandbox.hpp"

/** What the judge and its warm Python (warm_python.hpp) tell each other. */
namespace pawl {

/** The descriptor at which it finds its socket. */
constexpr int WARM_SOCKET = 3;

inline Json policy_json(const SandboxPolicy &policy) {
  return Json::object()
      .set("writable", Json::list(policy.writable))
      .set("readable", Json::list(policy.readable))
      .set("hidden", Json::list(policy.hidden))
      .set("without", Json::list(policy.without))
      .set("devices", policy.devices)
      .set("processes", policy.processes)
      .set("network", policy.network)
      .set("memory_bytes", policy.memory_bytes);
}

inline std::vector<std::string> texts(const Fields &fields, const char *name) {
  std::vector<std::string> all;
  for (const Json &one : fields.array(name)) all.push_back(one.string());
  return all;
}

inline SandboxPolicy read_policy(const Fields &fields) {
  SandboxPolicy policy;
  policy.writable = texts(fields, "writable");
  policy.readable = texts(fields, "readable");
  policy.hidden = texts(fields, "hidden");
  policy.without = texts(fields, "without");
  policy.devices = fields.boolean_or("devices", false);
  policy.processes = fields.boolean_or("processes", false);
  policy.network = fields.boolean_or("network", false);
  policy.memory_bytes = static_cast<std::uint64_t>(fields.integer("memory_bytes", 0));
  return policy;
}

}  // namespace pawl
