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

void PreparedCase::fill_tensor(std::size_t set, std::size_t tensor, void *data) {
  const Set &own = sets_[set];
  const bool lasting = contents_.stay(tensor);
  contents_.fill(tensor, lasting ? own.lasting_seed : own.seed, lasting ? own.lasting_stream : own.stream, data);
}

void PreparedCase::fill_set(std::size_t set, std::uint64_t seed) { fill_set(set, seed, set); }

void PreparedCase::fill_as_recorded(std::size_t set, std::uint64_t seed) {
  fill_set(set, seed, contents_.has_recordings() ? CaseContents::AS_RECORDED : set);
}

void PreparedCase::fill_set(std::size_t set, std::uint64_t seed, std::size_t stream) {
  Set &own = sets_[set];
  if (own.lasting_seed != seed || own.lasting_stream != stream) own.ready_in = -1;
  own.lasting_seed = seed;
  own.lasting_stream = stream;
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    if (!contents_.stay(i)) continue;
    fill_tensor(set, i, data(set, i));
    own.input_hashes[i] = device_.hash({input_region(own, i)});
  }
  fill_changing(set, seed, stream);
  contents_.leave_out_large();
}

void PreparedCase::fill_changing(std::size_t set, std::uint64_t seed, std::size_t stream) {
  contents_changed(set);
  sets_[set].seed = seed;
  sets_[set].stream = stream;
  sets_[set].fresh_key = 0;
  sets_[set].has_first_values = false;
  if (sets_[set].first) spare_.push_back(std::move(*sets_[set].first));
  sets_[set].first.reset();
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    if (!changes(i)) continue;
    fill_tensor(set, i, data(set, i));
    sets_[set].input_hashes[i] = device_.hash({input_region(sets_[set], i)});
  }
}

void PreparedCase::fill_anew(std::size_t set, const std::string &input) {
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    const TensorSpec &tensor = problem_.tensors[i];
    if (tensor.name != input || !tensor.is_read_only()) continue;
    contents_.fill_anew(i, data(set, i));
    if (tensor.prepared_from) sets_[set].ready_in = -1;
    sets_[set].input_hashes[i] = device_.hash({input_region(sets_[set], i)});
  }
}

std::uint64_t PreparedCase::input_hash(std::size_t set) const {
  std::uint64_t sum = 0;
  for (const std::uint64_t hash : sets_[set].input_hashes) sum += hash;
  return sum;
}

void PreparedCase::keep_first_values(std::size_t set) {
  Set &own = sets_[set];
  if (own.has_first_values) return;
  std::size_t inouts = 0;
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    if (problem_.tensors[i].role != Role::inout) continue;
    if (own.first_values.size() == inouts)
      own.first_values.emplace_back(device_, problem_.tensors[i].bytes, DeviceMemory::For::runner);
    fill_tensor(set, i, own.first_values[inouts++].data());
  }
  own.has_first_values = true;
}

void PreparedCase::restore_inouts(std::size_t set) {
  const Set &own = sets_[set];
  std::size_t inouts = 0;
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    if (problem_.tensors[i].role != Role::inout) continue;
    if (own.has_first_values)
      device_.copy(data(set, i), own.first_values[inouts++].data(), problem_.tensors[i].bytes);
    else
      fill_tensor(set, i, data(set, i));
  }
}

void PreparedCase::refresh(std::size_t set, std::uint64_t key, bool with_inouts) {
  Set &own = sets_[set];
  if (key == 0 && own.fresh_key == 0) return;
  contents_changed(set);
  CaseContents::Changed changed{set, own.seed, own.stream, own.fresh_key, key, with_inouts, {}};
  for (const GuardedBuffer &buffer : own.buffers) changed.data.push_back(buffer.data());
  contents_.change(changed);
  own.fresh_key = key;
}

PreparedCase::Contents PreparedCase::make_contents(std::uint64_t seed, std::size_t stream) {
  Contents made;
  if (!spare_.empty()) {
    made = std::move(spare_.back());
    spare_.pop_back();
  }
  made.seed = seed;
  made.stream = stream;
  made.hashes.clear();
  std::size_t at = 0;
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    const TensorSpec &tensor = problem_.tensors[i];
    if (!changes(i)) continue;
    if (made.tensors.size() == at) made.tensors.emplace_back(device_, tensor.stored_bytes(), DeviceMemory::For::runner);
    void *memory = made.tensors[at++].data();
    contents_.fill(i, seed, stream, memory);
    made.hashes.push_back(device_.hash({{memory, tensor.stored_bytes(), i}}));
  }
  return made;
}

void PreparedCase::stock_up(std::size_t count) {
  if (!copies_are_cheaper()) return;
  while (stock_.size() < std::min(count, most_in_stock()) && contents_.may_make_more())
    stock_.push_back(make_contents(random_bits(), 0));
}

std::size_t PreparedCase::most_in_stock() const {
  constexpr std::size_t MOST_BYTES = std::size_t(256) << 20, FEWEST = 3;
  const std::size_t fitting = MOST_BYTES / std::max<std::size_t>(problem_.bytes, 1);
  return fitting < FEWEST ? 0 : fitting;
}

void PreparedCase::put(std::size_t set, const Contents &contents) {
  std::size_t at = 0;
  contents_changed(set);
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    if (!changes(i)) continue;
    device_.copy(data(set, i), contents.tensors[at].data(), problem_.tensors[i].stored_bytes());
    sets_[set].input_hashes[i] = contents.hashes[at++];
  }
  sets_[set].seed = contents.seed;
  sets_[set].stream = contents.stream;
  sets_[set].fresh_key = 0;
  sets_[set].has_first_values = false;
}

bool PreparedCase::renew(std::size_t set) {
  // No cache holds contents that are too large to be kept in stock, whichever way they were put there.
  if (!copies_are_cheaper() || most_in_stock() == 0) {
    if (!contents_.may_make_more()) return false;
    fill_changing(set, random_bits(), set);
    return true;
  }
  if (stock_.empty()) return false;
  Set &own = sets_[set];
  if (own.first) spare_.push_back(std::move(*own.first));
  own.first = std::move(stock_.back());
  stock_.pop_back();
  put(set, *own.first);
  return true;
}

void PreparedCase::freshen(std::size_t set, std::uint64_t key) {
  if (copies_are_cheaper()) {
    Set &own = sets_[set];
    if (!own.first) own.first = make_contents(own.seed, own.stream);
    put(set, *own.first);
    refresh(set, key, true);
    return;
  }
  keep_first_values(set);
  restore_inouts(set);
  refresh(set, key, true);
}

void PreparedCase::recreate(std::size_t set, const Origin &origin, std::uint64_t key) {
  Set &own = sets_[set];
  own.seed = origin.seed;
  own.stream = origin.stream;
  if (own.lasting_seed != origin.lasting_seed || own.lasting_stream != origin.lasting_stream) own.ready_in = -1;
  own.lasting_seed = origin.lasting_seed;
  own.lasting_stream = origin.lasting_stream;
  contents_changed(set);
  own.fresh_key = 0;
  own.has_first_values = false;
  own.first.reset();
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i)
    if (!problem_.tensors[i].is_pure_output()) fill_tensor(set, i, data(set, i));
  refresh(set, key, true);
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

void PreparedCase::count_canaries() {
  canary_hash_ = 0;
  for (const Set &set : sets_)
    for (const GuardedBuffer &buffer : set.buffers) canary_hash_ += buffer.canary_hash();
  for (const GuardedBuffer &buffer : workspace_) canary_hash_ += buffer.canary_hash();
  for (const GuardedBuffer &buffer : prepared_) canary_hash_ += buffer.canary_hash();
}

void PreparedCase::vary_canaries(std::size_t set, bool extreme) {
  if (guard_ != Guard::canaries) return;
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i)
    sets_[set].buffers[i].set_canary(extreme ? extreme_canary(problem_.tensors[i].dtype) : plain_canary());
  for (GuardedBuffer &buffer : workspace_) buffer.set_canary(extreme ? extreme_canary(PAWL_U8) : plain_canary());
  count_canaries();
  canaries_varied_ = extreme;
}

void PreparedCase::poison_outputs(std::size_t set, unsigned char integer_pattern) {
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    const TensorSpec &tensor = problem_.tensors[i];
    if (tensor.is_pure_output())
      device_.set_bytes(data(set, i), has_poison(tensor.dtype) ? 0xFF : integer_pattern, tensor.bytes);
  }
}

void PreparedCase::arm() {
  // A check that ended half-way has left its own contents and canaries.
  const bool varied = canaries_varied_;
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    if (varied) vary_canaries(set, false);
    if (sets_[set].seed != seed_ || sets_[set].stream != set)
      fill_set(set, seed_);
    else if (sets_[set].touched || sets_[set].fresh_key != 0) {
      restore_inouts(set);
      refresh(set, 0, false);
    }
    poison_outputs(set);
    sets_[set].touched = false;
  }
}

std::vector<Tamper> PreparedCase::inspect(bool search_outputs) {
  // The hashes are those of the first contents. Inouts are what the kernel made of them, and not ours to change.
  for (std::size_t set = 0; set < sets_.size(); ++set)
    if (sets_[set].fresh_key != 0) refresh(set, 0, false);
  std::vector<Tamper> found;
  find_overwritten(found);
  find_changed_inputs(found);
  if (search_outputs) find_unwritten(found);
  if (!aliased_.empty()) report(found, {"aliased-output", named_first(aliased_), aliased_});
  aliased_.clear();
  return found;
}

std::string PreparedCase::named_first(const std::string &message) const {
  for (const TensorSpec &tensor : problem_.tensors)
    if (message.rfind(tensor.name + " ", 0) == 0) return tensor.name;
  return "";
}

void PreparedCase::find_overwritten(std::vector<Tamper> &found) {
  if (canaries_.empty() || device_.hash(canaries_) == canary_hash_) return;
  const auto locate = [&](GuardedBuffer &buffer, const std::string &name) {
    const char *side = buffer.overwritten();
    if (side == nullptr) return;
    report(found, {"out-of-bounds-write", name,
                   "the " + std::to_string(CANARY_BYTES) + " bytes right " + side + " '" + name + "' were overwritten"});
    buffer.rewrite_canaries();
  };
  for (Set &set : sets_)
    for (std::size_t i = 0; i < set.buffers.size(); ++i) locate(set.buffers[i], problem_.tensors[i].name);
  for (GuardedBuffer &buffer : workspace_) locate(buffer, "workspace");
  for (GuardedBuffer &buffer : prepared_) locate(buffer, "prepared");
}

void PreparedCase::find_changed_inputs(std::vector<Tamper> &found) {
  std::vector<Region> regions;
  std::uint64_t expected = 0;
  for (const Set &set : sets_)
    for (std::size_t i = 0; set.touched && i < problem_.tensors.size(); ++i) {
      if (!problem_.tensors[i].is_read_only()) continue;
      regions.push_back(input_region(set, i));
      expected += set.input_hashes[i];
    }
  if (device_.hash(regions) == expected) return;
  for (const Set &set : sets_)
    for (std::size_t i = 0; set.touched && i < problem_.tensors.size(); ++i) {
      const TensorSpec &tensor = problem_.tensors[i];
      if (tensor.is_read_only() && device_.hash({input_region(set, i)}) != set.input_hashes[i])
        report(found, {"input-changed", tensor.name, "the kernel changed its input '" + tensor.name + "'"});
    }
}

void PreparedCase::find_unwritten(std::vector<Tamper> &found) {
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    const TensorSpec &tensor = problem_.tensors[i];
    if (!tensor.is_pure_output() || !has_poison(tensor.dtype) || !tensor.counted_by.empty()) continue;
    std::vector<Elements> searched;
    for (const Set &set : sets_)
      if (set.touched) searched.push_back({set.buffers[i].data(), dtype_bytes(tensor.dtype), tensor.elements});
    if (const std::size_t left = device_.count_poisoned(searched); left > 0)
      report(found, {"unwritten-output", tensor.name,
                     std::to_string(left) + " of " + std::to_string(tensor.elements * searched.size()) +
                         " elements of '" + tensor.name + "' were not written"});
  }
}

}  // namespace pawl
