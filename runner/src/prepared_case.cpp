#include "prepared_case.hpp"

#include <algorithm>
#include <cstring>

#include "error.hpp"

namespace pawl {
namespace {

constexpr std::size_t CANARY_BYTES = 256;
/** Neither zero, nor the NaN pattern, nor a value that kernels tend to write. */
constexpr unsigned char CANARY = 0xC5;

/** One finding a tensor and detector: the same fault in many buffer sets is one fault. */
void report(std::vector<Tamper> &found, const char *detector, const std::string &tensor, const std::string &message) {
  for (const Tamper &tamper : found)
    if (tamper.tensor == tensor && std::strcmp(tamper.detector, detector) == 0) return;
  found.push_back({detector, tensor, message});
}

}  // namespace

GuardedBuffer::GuardedBuffer(Device &device, std::size_t bytes)
    : device_(device), base_(device.allocate(bytes + 2 * CANARY_BYTES)), bytes_(bytes) {
  write_canaries();
}

GuardedBuffer::GuardedBuffer(GuardedBuffer &&other) noexcept
    : device_(other.device_), base_(other.base_), bytes_(other.bytes_) {
  other.base_ = nullptr;
}

GuardedBuffer::~GuardedBuffer() {
  if (base_ != nullptr) device_.release(base_);
}

void *GuardedBuffer::data() const { return static_cast<unsigned char *>(base_) + CANARY_BYTES; }

void GuardedBuffer::write_canaries() {
  device_.set_bytes(base_, CANARY, CANARY_BYTES);
  device_.set_bytes(static_cast<unsigned char *>(data()) + bytes_, CANARY, CANARY_BYTES);
}

void GuardedBuffer::list_canaries(std::vector<Region> &regions) const {
  regions.push_back({base_, CANARY_BYTES, 0});
  regions.push_back({static_cast<unsigned char *>(data()) + bytes_, CANARY_BYTES, 0});
}

const char *GuardedBuffer::overwritten() const {
  unsigned char found[CANARY_BYTES];
  const auto intact = [&](const void *canary) {
    device_.copy_to_host(found, canary, CANARY_BYTES);
    return std::all_of(found, found + CANARY_BYTES, [](unsigned char byte) { return byte == CANARY; });
  };
  if (!intact(static_cast<unsigned char *>(data()) + bytes_)) return "after";
  return intact(base_) ? nullptr : "before";
}

Json tampering_json(const std::vector<Tamper> &tampering) {
  Json list = Json::array();
  for (const Tamper &tamper : tampering)
    list.add(Json::object()
                 .set("detector", tamper.detector)
                 .set("tensor", tamper.tensor)
                 .set("message", tamper.message));
  return list;
}

PreparedCase::PreparedCase(Device &device, const KernelLibrary &kernel, Problem problem, std::uint64_t seed,
                           std::size_t sets)
    : device_(device), kernel_(kernel), problem_(std::move(problem)), seed_(seed) {
  for (const Dim &dim : problem_.dims) dims_.push_back({dim.name.c_str(), dim.value});
  if (sets == 0) sets = device.default_sets(problem_.bytes);
  sets_.reserve(sets);
  for (std::size_t set = 0; set < sets; ++set) {
    add_set();
    fill_set(set, seed_);
    poison_outputs(set);
  }
  if (const std::size_t workspace_bytes = kernel.workspace_bytes(&sets_[0].call); workspace_bytes > 0) {
    workspace_.emplace_back(device, workspace_bytes);
    for (Set &set : sets_) {
      set.call.workspace = workspace_[0].data();
      set.call.workspace_bytes = workspace_bytes;
    }
    workspace_[0].list_canaries(canaries_);
  }
  for (const Set &set : sets_)
    for (const GuardedBuffer &buffer : set.buffers) buffer.list_canaries(canaries_);
  canary_hash_ = device.hash(canaries_);
}

void PreparedCase::add_set() {
  sets_.emplace_back();
  Set &set = sets_.back();
  set.buffers.reserve(problem_.tensors.size());
  for (const TensorSpec &tensor : problem_.tensors) {
    set.buffers.emplace_back(device_, tensor.bytes);
    set.tensors.push_back({tensor.name.c_str(), set.buffers.back().data(), tensor.shape.data(),
                           static_cast<std::int32_t>(tensor.shape.size()), tensor.dtype});
  }
  set.input_hashes.resize(problem_.tensors.size());
  set.call = {set.tensors.data(),
              dims_.data(),
              static_cast<std::int32_t>(set.tensors.size()),
              static_cast<std::int32_t>(dims_.size()),
              device_.stream(),
              nullptr,
              0};
}

std::vector<Region> PreparedCase::memory_of(std::size_t set) const {
  std::vector<Region> regions;
  for (const GuardedBuffer &buffer : sets_[set].buffers) regions.push_back({buffer.data(), buffer.bytes(), 0});
  for (const GuardedBuffer &buffer : workspace_) regions.push_back({buffer.data(), buffer.bytes(), 0});
  return regions;
}

void PreparedCase::freshen(std::size_t set, std::uint64_t key) {
  if (sets_[set].fresh_key != 0) change_pairs(set, sets_[set].fresh_key, true);
  if (key != 0) change_pairs(set, key, false);
  sets_[set].fresh_key = key;
}

void PreparedCase::change_pairs(std::size_t set, std::uint64_t key, bool back) {
  constexpr std::size_t PAIRS = 8;
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    const TensorSpec &tensor = problem_.tensors[i];
    if (tensor.is_pure_output()) continue;
    const std::uint64_t base = stream_key(sets_[set].fill_seed, i, set);
    const std::size_t pairs = (tensor.elements + 1) / 2;
    for (std::size_t n = 0; n < PAIRS; ++n) {
      const std::uint64_t hash = mix(mix(key ^ i) + n);
      const std::size_t pair = hash % pairs;
      auto *place = static_cast<unsigned char *>(data(set, i)) + 2 * pair * dtype_bytes(tensor.dtype);
      const std::size_t count = std::min<std::size_t>(2, tensor.elements - 2 * pair);
      // A pair's own hash in the fill of the whole tensor, moved to the start of a fill of two elements.
      const std::uint64_t first = base + (tensor.fill.kind == FillKind::normal ? pair : 2 * pair);
      device_.fill(place, tensor.dtype, count, tensor.fill, back ? first : mix(hash ^ pair));
    }
  }
}

void PreparedCase::fill_set(std::size_t set, std::uint64_t seed) {
  sets_[set].fill_seed = seed;
  sets_[set].fresh_key = 0;
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    const TensorSpec &tensor = problem_.tensors[i];
    if (tensor.is_pure_output()) continue;
    device_.fill(data(set, i), tensor.dtype, tensor.elements, tensor.fill, stream_key(seed, i, set));
    if (tensor.is_read_only()) sets_[set].input_hashes[i] = device_.hash({input_region(sets_[set], i)});
  }
}

void PreparedCase::restore_inouts(std::size_t set, std::uint64_t seed) {
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    const TensorSpec &tensor = problem_.tensors[i];
    if (tensor.role == Role::inout)
      device_.fill(data(set, i), tensor.dtype, tensor.elements, tensor.fill, stream_key(seed, i, set));
  }
}

void PreparedCase::poison_outputs(std::size_t set, unsigned char integer_pattern) {
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    const TensorSpec &tensor = problem_.tensors[i];
    if (tensor.is_pure_output())
      device_.set_bytes(data(set, i), is_floating(tensor.dtype) ? 0xFF : integer_pattern, tensor.bytes);
  }
}

void PreparedCase::arm() {
  for (std::size_t set = 0; set < sets_.size(); ++set) {
    poison_outputs(set);
    if (sets_[set].touched) restore_inouts(set, seed_);
    sets_[set].touched = false;
  }
}

std::vector<Tamper> PreparedCase::inspect(bool search_outputs) {
  for (std::size_t set = 0; set < sets_.size(); ++set) freshen(set, 0);
  std::vector<Tamper> found;
  find_overwritten(found);
  find_changed_inputs(found);
  if (search_outputs) find_unwritten(found);
  return found;
}

void PreparedCase::find_overwritten(std::vector<Tamper> &found) {
  if (device_.hash(canaries_) == canary_hash_) return;
  const auto locate = [&](GuardedBuffer &buffer, const std::string &name) {
    const char *side = buffer.overwritten();
    if (side == nullptr) return;
    report(found, "out-of-bounds-write", name,
           "the " + std::to_string(CANARY_BYTES) + " bytes right " + side + " '" + name + "' were overwritten");
    buffer.write_canaries();
  };
  for (Set &set : sets_)
    for (std::size_t i = 0; i < set.buffers.size(); ++i) locate(set.buffers[i], problem_.tensors[i].name);
  for (GuardedBuffer &buffer : workspace_) locate(buffer, "workspace");
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
        report(found, "input-changed", tensor.name, "the kernel changed its input '" + tensor.name + "'");
    }
}

void PreparedCase::find_unwritten(std::vector<Tamper> &found) {
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    const TensorSpec &tensor = problem_.tensors[i];
    if (!tensor.is_pure_output() || !is_floating(tensor.dtype)) continue;
    std::vector<Elements> searched;
    for (const Set &set : sets_)
      if (set.touched) searched.push_back({set.buffers[i].data(), dtype_bytes(tensor.dtype), tensor.elements});
    if (const std::size_t left = device_.count_poisoned(searched); left > 0)
      report(found, "unwritten-output", tensor.name,
             std::to_string(left) + " of " + std::to_string(tensor.elements * searched.size()) + " elements of '" +
                 tensor.name + "' were not written");
  }
}

}  // namespace pawl
