#include "audit.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "watch/child_processes.hpp"
#include "watch/environment.hpp"
#include "watch/kernel_watch.hpp"
#include "watch/loaded_libraries.hpp"
#include "watch/open_files.hpp"
#include "watch/repeated_calls.hpp"

namespace pawl {
namespace {

/** Audits use set 0, as checks do. */
constexpr std::size_t SET = 0;
/** As many calls as fit into this, and not fewer than what tells a leak from a first-time allocation. */
constexpr double CALLS_MS = 200;
constexpr std::int64_t FEWEST_CALLS = 8, MOST_CALLS = 32;
constexpr std::int64_t FEWEST_ROUNDS = 5, MOST_ROUNDS = 9;
constexpr std::int64_t WATCHED_CALLS = 3;
constexpr std::chrono::milliseconds LATE_WRITE_WINDOW(20);

std::int64_t fitting(double call_ms, std::int64_t fewest, std::int64_t most) {
  return std::clamp(static_cast<std::int64_t>(CALLS_MS / std::max(call_ms, 1e-3)), fewest, most);
}

std::string listed(const std::vector<std::string> &items) {
  constexpr std::size_t MOST_LISTED = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), MOST_LISTED); ++i) text += (i > 0 ? "; " : "") + items[i];
  if (items.size() > MOST_LISTED) text += "; and " + std::to_string(items.size() - MOST_LISTED) + " more";
  return text;
}

/** How long a call takes once it has run, and whether calls sleep, now or earlier. */
double watch_sleep(Device &device, PreparedCase &prepared, AuditReport &report) {
  KernelWatch &watch = kernel_watch();
  double call_ms = 0;
  for (std::int64_t i = 0; i < WATCHED_CALLS; ++i) {
    const std::int64_t from = watch.clock().ns();
    device.run_once(prepared, SET);
    const double took_ms = static_cast<double>(watch.clock().ns() - from) * 1e-6;
    call_ms = i == 0 ? took_ms : std::min(call_ms, took_ms);
  }
  const SleepWatch::Totals &calls = watch.calls().totals();
  // Once may be a runtime that starts up.
  if (calls.asleep < 2) return call_ms;
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
  device.run_once(prepared, SET);
  const std::uint64_t hash = device.hash(outputs);
  device.wait_for_all();
  std::this_thread::sleep_for(LATE_WRITE_WINDOW);
  if (device.hash(outputs) != hash)
    report.found("late-write", "outputs changed after the call had returned and its stream was waited for");
}

/** What is left behind in the process and around it. */
void compare_surroundings(Device &device, AuditReport &report) {
  const KernelWatch &watch = kernel_watch();
  Facts settings = process_settings();
  device.list_settings(settings);
  if (const std::vector<std::string> changes = changed_settings(watch.settings(), settings); !changes.empty())
    report.found("environment-changed", listed(changes));

  std::vector<std::string> files;
  for (const std::string &file : held_files())
    if (watch.files().count(file) == 0) files.push_back(file);
  if (!files.empty()) report.found("file-access", "the kernel holds open or shares: " + listed(files));

  std::vector<std::string> helpers;
  for (const int pid : helper_processes())
    if (watch.helpers().count(pid) == 0) helpers.push_back(describe_process(pid));
  if (!helpers.empty()) report.found("helper-process", "the kernel started: " + listed(helpers));

  const std::set<std::string> expected = watch.expected_mathematics();
  std::set<std::string> used = loaded_mathematics();
  for (const Launch &launch : report.launches)
    if (const std::string library = library_of_function(launch.name); !library.empty()) used.insert(library);
  std::vector<std::string> undeclared;
  for (const std::string &library : used)
    if (expected.count(library) == 0) undeclared.push_back(library);
  if (!undeclared.empty())
    report.found("library-fallback", "a library that the kernel is not linked against does work: " +
                                         listed(undeclared));
}

}  // namespace

Json launches_json(const std::vector<Launch> &launches) {
  const auto triple = [](const std::int64_t (&values)[3]) {
    Json list = Json::array();
    for (const std::int64_t value : values) list.add(value);
    return list;
  };
  Json list = Json::array();
  for (const Launch &launch : launches)
    list.add(Json::object()
                 .set("name", launch.name)
                 .set("grid", triple(launch.grid))
                 .set("block", triple(launch.block))
                 .set("count", launch.count));
  return list;
}

std::vector<Tamper> audit(Device &device, PreparedCase &prepared, Json &extra) {
  const KernelWatch &watch = kernel_watch();
  AuditReport report;
  report.tampering = watch.load_findings();
  report.notes = watch.load_notes();
  if (!watch.clock().tick_ns())
    report.notes.push_back("timer-tampered: this CPU has no counter of one rate to compare the clock with");

  const double call_ms = watch_sleep(device, prepared, report);
  watch_repeated_calls(device, prepared, SET, fitting(call_ms, FEWEST_CALLS, MOST_CALLS), report);
  watch_contents(device, prepared, SET, fitting(2 * call_ms, FEWEST_ROUNDS, MOST_ROUNDS), report);
  device.audit_launches(prepared, report);
  watch_late_writes(device, prepared, report);
  compare_surroundings(device, report);
  prepared.restore_inouts(SET);

  if (!report.launches.empty()) extra.set("launches", launches_json(report.launches));
  if (!report.notes.empty()) extra.set("notes", Json::list(report.notes));
  return report.tampering;
}

}  // namespace pawl
