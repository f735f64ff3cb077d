#include "audit.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "watch/loaded_libraries.hpp"
#include "watch/repeated_calls.hpp"

namespace pawl {
namespace {

using Clock = std::chrono::steady_clock;

/** Audits use set 0, as checks do. */
constexpr std::size_t SET = 0;
/** As many calls as fit into this, and not fewer than what tells a leak from a first-time allocation. */
constexpr double CALLS_MS = 200;
constexpr std::int64_t FEWEST_CALLS = 8, MOST_CALLS = 32;
constexpr std::int64_t FEWEST_ROUNDS = 5, MOST_ROUNDS = 9;
constexpr std::int64_t WATCHED_CALLS = 3;
/** A GPU's driver may sleep for a millisecond in an honest call, until the GPU answers it. */
constexpr double ASLEEP_IN_DRIVER_MS = 10;
constexpr std::chrono::milliseconds LATE_WRITE_WINDOW(20);

std::int64_t fitting(double call_ms, std::int64_t fewest, std::int64_t most) {
  return std::clamp(static_cast<std::int64_t>(CALLS_MS / std::max(call_ms, 1e-3)), fewest, most);
}

/** How long a call takes once it has run, and whether calls sleep, now or earlier. */
double watch_sleep(Device &device, PreparedCase &prepared, CandidateWatch &watch, AuditReport &report) {
  double call_ms = 0;
  for (std::int64_t i = 0; i < WATCHED_CALLS; ++i) {
    const auto from = Clock::now();
    prepared.run_watched(SET, watch.calls());
    const double took_ms = std::chrono::duration<double, std::milli>(Clock::now() - from).count();
    call_ms = i == 0 ? took_ms : std::min(call_ms, took_ms);
  }
  const SleepWatch::Totals &calls = watch.calls().totals();
  // Once may be a runtime that starts up.
  if (calls.asleep < 2) return call_ms;
  if (device.pace().has_stream && calls.asleep_ms < ASLEEP_IN_DRIVER_MS * static_cast<double>(calls.asleep))
    return call_ms;
  report.found("sleeping", std::to_string(calls.asleep) + " of " + std::to_string(calls.calls) +
                               " calls spent most of their time asleep: " +
                               std::to_string(static_cast<std::int64_t>(calls.asleep_ms)) + " of " +
                               std::to_string(static_cast<std::int64_t>(calls.call_ms)) + " ms");
  return call_ms;
}

void watch_late_writes(Device &device, PreparedCase &prepared, AuditReport &report) {
  std::vector<Region> outputs;
  const std::vector<TensorSpec> &tensors = prepared.problem().tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].is_written()) outputs.push_back({prepared.data(SET, i), tensors[i].bytes, i});
  prepared.restore_inouts(SET);
  prepared.poison_outputs(SET);
  prepared.run_once(SET);
  const std::uint64_t hash = device.hash(outputs);
  std::this_thread::sleep_for(LATE_WRITE_WINDOW);
  if (device.hash(outputs) != hash)
    report.found("late-write", "outputs changed after the call had returned and its stream was waited for");
}

/** Libraries that the functions a call launches give away. */
std::set<std::string> libraries_of(const Json &launches) {
  std::set<std::string> libraries;
  for (const Json &launch : launches.items())
    if (const Json *name = launch.find("name"))
      if (const std::string library = library_of_function(name->string()); !library.empty()) libraries.insert(library);
  return libraries;
}

}  // namespace

std::vector<Tamper> audit(Device &device, PreparedCase &prepared, CandidateWatch &watch, Json &extra) {
  AuditReport report;
  report.tampering = watch.load_findings();
  report.notes = watch.load_notes();

  const double call_ms = watch_sleep(device, prepared, watch, report);
  watch_repeated_calls(device, prepared, SET, fitting(call_ms, FEWEST_CALLS, MOST_CALLS), report);
  watch_contents(device, prepared, SET, fitting(2 * call_ms, FEWEST_ROUNDS, MOST_ROUNDS), report);
  watch_late_writes(device, prepared, report);
  Json told = prepared.candidate().launches();
  std::set<std::string> libraries;
  if (const Json *launches = told.find("launches"); launches != nullptr && !launches->items().empty()) {
    libraries = libraries_of(*launches);
    extra.set("launches", *launches);
  }
  if (const Json *notes = told.find("notes"))
    for (const Json &note : notes->items()) report.notes.push_back(note.string());
  watch.compare(report.tampering, libraries);
  prepared.restore_inouts(SET);

  if (!report.notes.empty()) extra.set("notes", Json::list(report.notes));
  return report.tampering;
}

}  // namespace pawl
