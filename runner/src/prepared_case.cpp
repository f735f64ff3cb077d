#include "prepared_case.hpp"

#include <algorithm>
#include <chrono>
#include <exception>

#include "random_bits.hpp"

namespace pawl {

PreparedCase::PreparedCase(Device &device, Candidate &candidate, Problem problem, const Json &variant,
                           std::uint64_t seed, std::size_t sets, Guard guard, InputGenerator *generator)
    : device_(device),
      candidate_(candidate),
      problem_(std::move(problem)),
      seed_(seed),
      guard_(guard),
      contents_(device, problem_, seed, generator),
      plain_(without_views(problem_)),
      prepares_(problem_.is_prepared()) {
  // What a kernel prepares takes about as much memory as what it is made of, for each set.
  if (sets == 0) sets = device.default_sets(prepares_ ? 2 * problem_.bytes : problem_.bytes);
  sets_.reserve(sets);
  std::vector<std::vector<const void *>> memory;
  for (std::size_t set = 0; set < sets; ++set) {
    add_set();
    fill_set(set, seed_);
    poison_outputs(set);
    memory.emplace_back();
    for (const GuardedBuffer &buffer : sets_[set].buffers) memory.back().push_back(buffer.memory());
  }
  device.wait();
  const std::size_t guard_bytes = guard == Guard::none ? 0 : CANARY_BYTES;
  const WantedMemory wanted = candidate.prepare(problem_, variant, guard_bytes, memory);
  if (wanted.workspace_bytes > 0) {
    workspace_.emplace_back(device, wanted.workspace_bytes, guard_);
    candidate.use_workspace(workspace_[0].memory(), guard_bytes, wanted.workspace_bytes);
    workspace_[0].list_canaries(canaries_);
  }
  prepared_.reserve(sets);
  for (std::size_t set = 0; set < sets && prepares_ && wanted.prepared_bytes > 0; ++set) {
    prepared_.emplace_back(device, wanted.prepared_bytes, guard_);
    candidate.use_prepared(set, prepared_[set].memory(), guard_bytes, wanted.prepared_bytes);
    prepared_[set].list_canaries(canaries_);
  }
  for (const Set &set : sets_)
    for (const GuardedBuffer &buffer : set.buffers) buffer.list_canaries(canaries_);
  count_canaries();
}

PreparedCase::~PreparedCase() {
  try {
    candidate_.forget();
  } catch (const std::exception &) {
    // It is gone, and its memory with it.
  }
}

void PreparedCase::add_set() {
  sets_.emplace_back();
  Set &set = sets_.back();
  set.buffers.reserve(problem_.tensors.size());
  for (const TensorSpec &tensor : problem_.tensors) set.buffers.emplace_back(device_, tensor.stored_bytes(), guard_);
  set.input_hashes.resize(problem_.tensors.size());
}

void PreparedCase::hide(std::size_t set) {
  hidden_.resize(problem_.tensors.size());
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    const TensorSpec &tensor = problem_.tensors[i];
    if (tensor.prepared_from) continue;
    if (!hidden_[i]) hidden_[i].emplace(device_, tensor.stored_bytes(), DeviceMemory::For::runner);
    device_.copy(hidden_[i]->data(), data(set, i), tensor.stored_bytes());
    device_.set_bytes(data(set, i), 0xFF, tensor.stored_bytes());
  }
  device_.wait();
}

void PreparedCase::reveal(std::size_t set) {
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i)
    if (hidden_[i]) device_.copy(data(set, i), hidden_[i]->data(), problem_.tensors[i].stored_bytes());
  device_.wait();
}

void PreparedCase::make_ready(std::size_t set) {
  Set &own = sets_[set];
  if (!prepares_ || own.ready_in == candidate_.pid()) return;
  own.touched = true;
  const bool is_first = !own.was_ready;
  own.was_ready = true;
  const double heap_before = is_first ? candidate_.heap_bytes() : 0;
  hide(set);
  // What was prepared of other contents is gone.
  if (set < prepared_.size()) {
    device_.set_bytes(prepared_[set].data(), 0xFF, prepared_[set].bytes());
    device_.wait();
  }
  const Preparation made = candidate_.prepare_inputs(set);
  if (is_first) {
    const double own = made.device_bytes + std::max(candidate_.heap_bytes() - heap_before, 0.0);
    const double given = set < prepared_.size() ? static_cast<double>(prepared_[set].bytes()) : 0;
    preparations_.bytes = std::max(preparations_.bytes, own + given);
  }
  preparations_.ms.push_back(made.ms);
  own.ready_in = candidate_.pid();
  put_out_of_caches(set);
  // A thread that it left behind does not see the inputs before the call does.
  if (!device_.pace().has_stream) candidate_.freeze();
  reveal(set);
  if (set == 0 && captured_calls_ > 0) candidate_.capture(0, captured_calls_);
}

void PreparedCase::put_out_of_caches(std::size_t set) {
  if (prepares_ && sets_[set].ready_in == candidate_.pid() && !device_.pace().has_stream) candidate_.evict(set);
}

void PreparedCase::capture(std::int64_t calls) {
  make_ready(0);
  captured_calls_ = 0;
  candidate_.capture(0, calls);
  captured_calls_ = calls;
}

RunOutcome PreparedCase::run(const Run &run) {
  for (const std::size_t set : run.sets) make_ready(set);
  for (const std::size_t set : run.sets) sets_[set].touched = true;
  // What was queued here is done before anything of the candidate's begins.
  device_.wait();
  RunOutcome outcome = candidate_.run(run);
  if (!outcome.aliased.empty()) aliased_ = outcome.aliased;
  return outcome;
}

void PreparedCase::run_watched(std::size_t set, SleepWatch &watch) {
  make_ready(set);
  device_.wait();
  watch.begin(candidate_.pid());
  run_once(set);
  watch.end(candidate_.pid());
}

void PreparedCase::run_once(std::size_t set) { run(Run::once(set)); }

std::vector<Region> PreparedCase::memory_of(std::size_t set) const {
  std::vector<Region> regions;
  for (const GuardedBuffer &buffer : sets_[set].buffers) regions.push_back({buffer.data(), buffer.bytes(), 0});
  for (const GuardedBuffer &buffer : workspace_) regions.push_back({buffer.data(), buffer.bytes(), 0});
  if (set < prepared_.size()) regions.push_back({prepared_[set].data(), prepared_[set].bytes(), 0});
  return regions;
}

KeptTensor PreparedCase::take(std::size_t set, std::size_t tensor) const {
  const TensorSpec &spec = problem_.tensors[tensor];
  if (!spec.view) return KeptTensor::copy_of(device_, data(set, tensor), spec.bytes);
  KeptTensor taken(device_, spec.bytes);
  device_.gather(taken.data(), data(set, tensor), *spec.view, dtype_bytes(spec.dtype));
  return taken;
}

std::uint64_t PreparedCase::output_hash(std::size_t set) {
  std::vector<Region> regions;
  for (std::size_t t = 0; t < problem_.tensors.size(); ++t)
    if (problem_.tensors[t].is_written()) regions.push_back({data(set, t), problem_.tensors[t].bytes, t});
  return device_.hash(regions);
}

const TensorSpec *PreparedCase::glance(std::size_t set) {
  constexpr std::size_t PLACES = 4, TOGETHER = 16;
  for (std::size_t t = 0; t < problem_.tensors.size(); ++t) {
    const TensorSpec &tensor = problem_.tensors[t];
    if (!tensor.is_pure_output() || !has_poison(tensor.dtype) || !tensor.counted_by.empty()) continue;
    const std::size_t size = dtype_bytes(tensor.dtype);
    const std::size_t together = std::min(TOGETHER, tensor.elements);
    std::vector<Elements> looked_at;
    for (std::size_t place = 0; place < PLACES; ++place) {
      const std::size_t at = random_bits() % (tensor.elements - together + 1);
      looked_at.push_back({static_cast<const unsigned char *>(data(set, t)) + at * size, size, together});
    }
    if (device_.count_poisoned(looked_at) > 0) return &tensor;
  }
  return nullptr;
}

double PreparedCase::finishing_ms() {
  if (!candidate_.returns_outputs()) return 0;
  constexpr double CHECKING_MS = 0.1, COPYING_MS_PER_MB = 1;
  if (device_.pace().has_stream) return CHECKING_MS + copying_ms();
  double bytes = 0;
  for (const TensorSpec &tensor : problem_.tensors)
    if (tensor.is_pure_output()) bytes += static_cast<double>(tensor.bytes);
  return CHECKING_MS + COPYING_MS_PER_MB * bytes * 1e-6;
}

double PreparedCase::copying_ms() {
  // Outputs are read and written to be handed in, and as much memory is poisoned: with a half more for a slow moment.
  constexpr double TIMES_WRITTEN = 4.5;
  if (copying_ms_) return *copying_ms_;
  using Clock = std::chrono::steady_clock;
  device_.wait();
  const auto begun = Clock::now();
  poison_outputs(0);
  device_.wait();
  copying_ms_ = TIMES_WRITTEN * std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
  return *copying_ms_;
}

}  // namespace pawl
