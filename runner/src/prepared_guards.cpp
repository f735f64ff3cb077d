// What lies around the tensors of a prepared case, and in its outputs before a call: what shows stray writes.
#include <algorithm>

#include "prepared_case.hpp"
#include "random_bits.hpp"

namespace pawl {

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
