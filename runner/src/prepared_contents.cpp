// What the tensors of a prepared case hold: drawn, renewed, freshened and put back.
#include <algorithm>

#include "prepared_case.hpp"
#include "random_bits.hpp"

namespace pawl {

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

}  // namespace pawl
