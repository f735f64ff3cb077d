#include "native_kernel.hpp"

#include <algorithm>

namespace pawl {

Json NativeKernel::load(const Fields &request, int descriptor) {
  std::string prepare;
  if (request.has("prepare")) {
    const Fields prepared = request.object("prepare");
    prepare = prepared.text("function");
    for (const Json &name : prepared.array("of")) prepared_of_.push_back(name.string());
  }
  library_ = std::make_unique<KernelLibrary>(request.text("library"), request.text("function"), descriptor, prepare);
  return Json::object();
}

std::size_t NativeKernel::prepare(const MappedCase &mapped, const Fields &, void *stream) {
  forget();
  mapped_ = mapped;
  for (const auto &[name, value] : mapped_.dims) dims_.push_back({name.c_str(), value});
  scalars_ = scalars_of(mapped_.scalars);
  sets_.reserve(mapped_.sets.size());
  for (const std::vector<void *> &addresses : mapped_.sets) {
    sets_.emplace_back();
    Set &set = sets_.back();
    for (std::size_t t = 0; t < mapped_.tensors.size(); ++t) {
      const MappedTensor &tensor = mapped_.tensors[t];
      set.tensors.push_back({tensor.name.c_str(), static_cast<unsigned char *>(addresses[t]) + tensor.first_byte,
                             tensor.shape.data(),
                             static_cast<std::int32_t>(tensor.shape.size()), tensor.dtype});
    }
    set.call = {set.tensors.data(),
                dims_.data(),
                static_cast<std::int32_t>(set.tensors.size()),
                static_cast<std::int32_t>(dims_.size()),
                stream,
                nullptr,
                0,
                scalars_.data(),
                static_cast<std::int32_t>(scalars_.size()),
                nullptr,
                0};
  }
  return sets_.empty() ? 0 : library_->workspace_bytes(&sets_[0].call);
}

void NativeKernel::use_workspace(void *data, std::size_t bytes) {
  for (Set &set : sets_) {
    set.call.workspace = data;
    set.call.workspace_bytes = bytes;
  }
}

std::size_t NativeKernel::prepared_bytes() { return sets_.empty() ? 0 : library_->prepared_bytes(&sets_[0].call); }

void NativeKernel::use_prepared(std::size_t set, void *data, std::size_t bytes) {
  if (set >= sets_.size()) return;
  sets_[set].call.prepared = data;
  sets_[set].call.prepared_bytes = bytes;
}

Json NativeKernel::prepare_inputs(std::size_t set) {
  std::vector<pawl_tensor> tensors = sets_.at(set).tensors;
  for (pawl_tensor &tensor : tensors)
    if (std::find(prepared_of_.begin(), prepared_of_.end(), tensor.name) == prepared_of_.end()) tensor.data = nullptr;
  pawl_call call = sets_[set].call;
  call.tensors = tensors.data();
  library_->prepare(&call);
  return Json::object();
}

void NativeKernel::use_stream(void *stream) {
  for (Set &set : sets_) set.call.stream = stream;
}

void NativeKernel::forget() {
  sets_.clear();
  dims_.clear();
  scalars_.clear();
}

}  // namespace pawl
