#include "library_oracle.hpp"

#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include "device.hpp"
#include "device_memory.hpp"
#include "error.hpp"
#include "plain_arithmetic.hpp"

namespace pawl {
namespace {

/** What pawl_kernel.h promises of every tensor. */
constexpr std::size_t ALIGNMENT = 256;

std::size_t aligned(std::size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

/** Tensors that lie one after the other in one allocation, all in their wide types or all in their own. */
class Layout {
 public:
  Layout(const Problem &problem, pawl_dtype (*dtype_of)(pawl_dtype))
      : problem_(problem), scalars_(scalars_of(problem.scalars)) {
    for (const TensorSpec &tensor : problem.tensors) {
      dtypes_.push_back(dtype_of(tensor.dtype));
      offsets_.push_back(bytes_);
      bytes_ += aligned(bytes(offsets_.size() - 1));
    }
    for (const Dim &dim : problem.dims) dims_.push_back({dim.name.c_str(), dim.value});
  }

  std::size_t total_bytes() const { return bytes_; }
  std::size_t bytes(std::size_t tensor) const {
    return bytes_of(dtypes_[tensor], problem_.tensors[tensor].elements);
  }
  pawl_dtype dtype(std::size_t tensor) const { return dtypes_[tensor]; }
  void *at(void *base, std::size_t tensor) const { return static_cast<unsigned char *>(base) + offsets_[tensor]; }

  /** The call points into this object: it lives as long as the last call does. */
  pawl_call call(void *base, void *stream) {
    tensors_.clear();
    for (std::size_t t = 0; t < problem_.tensors.size(); ++t) {
      const TensorSpec &tensor = problem_.tensors[t];
      tensors_.push_back({tensor.name.c_str(), at(base, t), tensor.shape.data(),
                          static_cast<std::int32_t>(tensor.shape.size()), dtypes_[t]});
    }
    return {tensors_.data(), dims_.data(), static_cast<std::int32_t>(tensors_.size()),
            static_cast<std::int32_t>(dims_.size()), stream, nullptr, 0, scalars_.data(),
            static_cast<std::int32_t>(scalars_.size()),
            nullptr,
            0};
  }

 private:
  const Problem &problem_;
  std::vector<pawl_scalar> scalars_;
  std::vector<pawl_dtype> dtypes_;
  std::vector<std::size_t> offsets_;
  std::vector<pawl_dim> dims_;
  std::vector<pawl_tensor> tensors_;
  std::size_t bytes_ = 0;
};

pawl_dtype same(pawl_dtype dtype) { return dtype; }

/** What an output holds before: NaN, or 0 for the wide integers of an oracle. */
unsigned char blank(pawl_dtype dtype, bool wide) { return wide && !is_floating(dtype) ? 0 : 0xFF; }

/**
 * Refuses an oracle that left elements of an output as they were: they would be taken for right, and every kernel for
 * wrong. No arithmetic makes a NaN of which every bit is set.
 */
void require_written(Device &device, const LibraryOracle &oracle, const TensorSpec &tensor, pawl_dtype dtype,
                     const void *data) {
  if (!tensor.is_pure_output() || tensor.judged == Judged::by_checker || !tensor.counted_by.empty()) return;
  if (!is_floating(tensor.dtype)) return;
  const std::size_t left = device.count_poisoned({{data, dtype_bytes(dtype), tensor.elements}});
  if (left > 0)
    throw RunnerError("load-failed", oracle.title() + " left " + std::to_string(left) + " of " +
                                         std::to_string(tensor.elements) + " elements of '" + tensor.name +
                                         "' unwritten");
}

/** What it is that a library works in: all tensors in one piece of memory, on the device or on the host. */
class Workplace {
 public:
  Workplace(Device &device, const Problem &problem, const LibraryOracle &oracle, const KeptTensors &inputs,
            LibraryOracle::Memory memory, bool wide)
      : device_(device),
        problem_(problem),
        oracle_(oracle),
        on_device_(memory == Oracle::Memory::device),
        wide_(wide),
        layout_(problem, !wide ? same : on_device_ ? on_device_type : widest),
        memory_(device, layout_.total_bytes() + 1),
        host_(nullptr, std::free) {
    for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
      const TensorSpec &tensor = problem.tensors[t];
      void *data = layout_.at(memory_.data(), t);
      if (tensor.is_pure_output())
        device.set_bytes(data, blank(tensor.dtype, wide), layout_.bytes(t));
      else if (wide)
        device.widen(data, layout_.dtype(t), inputs[t].data(), tensor.dtype, tensor.elements);
      else
        device.copy(data, inputs[t].data(), tensor.bytes);
    }
    if (on_device_ || device.stream() == nullptr) return;
    host_.reset(std::aligned_alloc(ALIGNMENT, aligned(layout_.total_bytes() + 1)));
    if (host_ == nullptr) throw std::bad_alloc();
    device.copy_to_host(host_.get(), memory_.data(), layout_.total_bytes());
  }

  void compute() {
    const pawl_call call = layout_.call(host_ == nullptr ? memory_.data() : host_.get(),
                                        on_device_ ? device_.stream() : nullptr);
    if (wide_)
      oracle_.compute(call);
    else
      oracle_.compute_reference(call);
    if (host_ != nullptr) device_.copy_from_host(memory_.data(), host_.get(), layout_.total_bytes());
    try {
      device_.wait();
    } catch (const RunnerError &error) {
      if (error.code() != "device-error") throw;
      throw RunnerError("load-failed",
                        oracle_.title() + (wide_ ? "" : "'s pawl_reference") + " failed: " + error.what());
    }
  }

  /** What was written, in 64 bits, or in the tensors' own types where those were asked for. */
  KeptTensors outputs() const {
    KeptTensors kept(problem_.tensors.size());
    for (std::size_t t = 0; t < problem_.tensors.size(); ++t) {
      const TensorSpec &tensor = problem_.tensors[t];
      if (!tensor.is_written()) continue;
      const void *data = layout_.at(memory_.data(), t);
      if (!wide_) {
        kept[t] = KeptTensor::copy_of(device_, data, tensor.bytes);
        continue;
      }
      require_written(device_, oracle_, tensor, layout_.dtype(t), data);
      kept[t] = KeptTensor(device_, tensor.elements * dtype_bytes(widest(tensor.dtype)));
      device_.widen(kept[t].data(), widest(tensor.dtype), data, layout_.dtype(t), tensor.elements);
    }
    return kept;
  }

 private:
  Device &device_;
  const Problem &problem_;
  const LibraryOracle &oracle_;
  bool on_device_;
  bool wide_;
  Layout layout_;
  KeptTensor memory_;
  /** What a library without device memory sees, where tensors are there. */
  std::unique_ptr<void, void (*)(void *)> host_;

  static pawl_dtype on_device_type(pawl_dtype dtype) { return wider(dtype); }
};

}  // namespace

OracleResults LibraryOracle::run(Device &device, const Problem &problem, const KeptTensors &inputs,
                                 bool with_reference) const {
  const PlainArithmetic plain;
  if (memory_ == Memory::device && device.stream() == nullptr)
    throw RunnerError("unsupported", title() + " works in device memory, and this device has none");
  const auto outputs = [&](bool wide) {
    Workplace workplace(device, problem, *this, inputs, memory_, wide);
    workplace.compute();
    return workplace.outputs();
  };
  OracleResults results{outputs(true), {}};
  if (with_reference) results.reference = outputs(false);
  return results;
}

}  // namespace pawl
