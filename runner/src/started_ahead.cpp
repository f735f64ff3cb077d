#include "started_ahead.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace pawl {
namespace {

/** In place of others of the same name. */
void set_variables(std::vector<std::string> &environment, const Json &variables) {
  for (const Json::Member &member : variables.members()) {
    const std::string beginning = member.first + "=";
    environment.erase(std::remove_if(environment.begin(), environment.end(),
                                     [&](const std::string &entry) { return entry.rfind(beginning, 0) == 0; }),
                      environment.end());
    environment.push_back(beginning + member.second.string());
  }
}

std::unique_ptr<ScratchFolder> give_scratch(CandidateStart &start) {
  auto scratch = std::make_unique<ScratchFolder>();
  if (start.confined) {
    scratch->create();
    start.scratch = scratch->path();
  }
  start.environment = scratch->environment(start.cpus.size());
  set_variables(start.environment, start.variables);
  return scratch;
}

/** Whether their processes are the same until they load something. */
bool starts_alike(const CandidateStart &one, const CandidateStart &other) {
  return one.command == other.command && one.warm == other.warm && one.variables.text() == other.variables.text() &&
         one.cuda == other.cuda && one.device_index == other.device_index && one.cpus == other.cpus &&
         one.sanitized == other.sanitized && one.confined == other.confined && one.folder == other.folder;
}

}  // namespace

StartedCandidate start_now(Device &device, CandidateStart start) {
  StartedCandidate started;
  started.scratch = give_scratch(start);
  started.process = std::make_unique<Candidate>(device, std::move(start));
  return started;
}

void StartedAhead::begin(Device &device, CandidateStart start) {
  drop();
  device_ = &device;
  start_ = std::move(start);
  device.candidate_waits(true);
  try {
    started_.scratch = give_scratch(start_);
    started_.process = Candidate::ahead(device, start_);
  } catch (const std::exception &) {
    // It is started when it is wanted, and says then what is wrong.
    device.candidate_waits(false);
    drop();
  }
}

void StartedAhead::wait() {
  if (started_.process == nullptr) return;
  try {
    started_.process->await_start();
  } catch (const std::exception &) {
    drop();
  }
}

StartedCandidate StartedAhead::take(const CandidateStart &wanted) {
  if (started_.process != nullptr && !starts_alike(start_, wanted)) drop();
  wait();
  if (started_.process == nullptr) return {};
  try {
    started_.process->take(wanted.code, wanted.sha256);
  } catch (const std::exception &) {
    drop();
    return {};
  }
  device_->candidate_waits(false);
  return std::exchange(started_, {});
}

void StartedAhead::drop() {
  if (started_.process != nullptr) device_->candidate_waits(false);
  started_.process.reset();
  started_.scratch.reset();
}

}  // namespace pawl
