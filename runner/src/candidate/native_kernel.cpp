#include "native_kernel.hpp"

namespace pawl {

Json NativeKernel::load(const Fields &request, int descriptor) {
  library_ = std::make_unique<KernelLibrary>(request.text("library"), request.text("function"), descriptor);
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
                static_cast<std::int32_t>(scalars_.size())};
  }
  return sets_.empty() ? 0 : library_->workspace_bytes(&sets_[0].call);
}

void NativeKernel::use_workspace(void *data, std::size_t bytes) {
  for (Set &set : sets_) {
    set.call.workspace = data;
    set.call.workspace_bytes = bytes;
  }
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
