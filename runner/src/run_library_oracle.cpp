#include "library_oracle.hpp"

#include <cstdlib>
#include <cstring>
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
    return problem_.tensors[tensor].elements * dtype_bytes(dtypes_[tensor]);
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
            static_cast<std::int32_t>(scalars_.size())};
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
void require_written(const LibraryOracle &oracle, const TensorSpec &tensor, pawl_dtype dtype, const void *data) {
  if (!tensor.is_pure_output() || tensor.judged == Judged::by_checker || !tensor.counted_by.empty() || !is_floating(tensor.dtype)) return;
  const std::size_t size = dtype_bytes(dtype);
  const std::vector<unsigned char> untouched(size, 0xFF);
  std::size_t left = 0;
  for (std::size_t i = 0; i < tensor.elements; ++i)
    left += std::memcmp(static_cast<const unsigned char *>(data) + i * size, untouched.data(), size) == 0;
  if (left > 0)
    throw RunnerError("load-failed", oracle.title() + " left " + std::to_string(left) + " of " +
                                         std::to_string(tensor.elements) + " elements of '" + tensor.name +
                                         "' unwritten");
}

OracleResults run_on_host(const Problem &problem, const LibraryOracle &oracle, const TensorBytes &inputs,
                          bool with_reference) {
  OracleResults results{std::vector<WideValues>(problem.tensors.size()), {}};
  const auto run = [&](pawl_dtype (*dtype_of)(pawl_dtype), bool wide) {
    Layout layout(problem, dtype_of);
    const std::unique_ptr<void, void (*)(void *)> memory(
        std::aligned_alloc(ALIGNMENT, aligned(layout.total_bytes() + 1)), std::free);
    if (memory == nullptr) throw std::bad_alloc();
    for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
      const TensorSpec &tensor = problem.tensors[t];
      void *data = layout.at(memory.get(), t);
      if (tensor.is_pure_output())
        std::memset(data, blank(tensor.dtype, wide), layout.bytes(t));
      else if (!wide)
        std::memcpy(data, inputs[t].data(), tensor.bytes);
      else
        for (std::size_t i = 0; i < tensor.elements; ++i)
          widen_element(data, layout.dtype(t), inputs[t].data(), tensor.dtype, i);
    }
    const pawl_call call = layout.call(memory.get(), nullptr);
    if (wide)
      oracle.compute(call);
    else
      oracle.compute_reference(call);
    for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
      const TensorSpec &tensor = problem.tensors[t];
      if (!tensor.is_written()) continue;
      const auto *data = static_cast<const unsigned char *>(layout.at(memory.get(), t));
      if (wide) require_written(oracle, tensor, layout.dtype(t), data);
      if (wide)
        results.wanted[t] = widen_values(data, layout.dtype(t), tensor.elements);
      else
        results.reference[t].assign(data, data + tensor.bytes);
    }
  };
  run(widest, true);
  if (with_reference) {
    results.reference.resize(problem.tensors.size());
    run(same, false);
  }
  return results;
}

OracleResults run_on_device(Device &device, const Problem &problem, const LibraryOracle &oracle, const TensorBytes &inputs,
                            bool with_reference) {
  OracleResults results{std::vector<WideValues>(problem.tensors.size()), {}};
  const auto wait = [&](const char *what) {
    try {
      device.wait();
    } catch (const RunnerError &error) {
      if (error.code() != "device-error") throw;
      throw RunnerError("load-failed", oracle.title() + what + " failed: " + error.what());
    }
  };
  Layout narrow(problem, same);
  Layout wide(problem, [](pawl_dtype dtype) { return wider(dtype); });
  const DeviceMemory narrow_memory(device, narrow.total_bytes() + 1, DeviceMemory::For::runner);
  const DeviceMemory wide_memory(device, wide.total_bytes() + 1, DeviceMemory::For::runner);
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    const TensorSpec &tensor = problem.tensors[t];
    void *own = narrow.at(narrow_memory.data(), t);
    void *data = wide.at(wide_memory.data(), t);
    if (tensor.is_pure_output()) {
      device.set_bytes(own, blank(tensor.dtype, false), tensor.bytes);
      device.set_bytes(data, blank(tensor.dtype, true), wide.bytes(t));
    } else {
      device.copy_from_host(own, inputs[t].data(), tensor.bytes);
      device.widen(data, own, tensor.dtype, tensor.elements);
    }
  }
  oracle.compute(wide.call(wide_memory.data(), device.stream()));
  wait("");
  std::vector<unsigned char> bytes;
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    const TensorSpec &tensor = problem.tensors[t];
    if (!tensor.is_written()) continue;
    bytes.resize(wide.bytes(t));
    device.copy_to_host(bytes.data(), wide.at(wide_memory.data(), t), bytes.size());
    require_written(oracle, tensor, wide.dtype(t), bytes.data());
    results.wanted[t] = widen_values(bytes.data(), wide.dtype(t), tensor.elements);
  }
  if (!with_reference) return results;
  results.reference.resize(problem.tensors.size());
  oracle.compute_reference(narrow.call(narrow_memory.data(), device.stream()));
  wait("'s pawl_reference");
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    if (!problem.tensors[t].is_written()) continue;
    results.reference[t].resize(problem.tensors[t].bytes);
    device.copy_to_host(results.reference[t].data(), narrow.at(narrow_memory.data(), t), narrow.bytes(t));
  }
  return results;
}

}  // namespace

OracleResults LibraryOracle::run(Device &device, const Problem &problem, const TensorBytes &inputs,
                                 bool with_reference) const {
  const PlainArithmetic plain;
  if (memory_ == Memory::host) return run_on_host(problem, *this, inputs, with_reference);
  if (device.stream() == nullptr)
    throw RunnerError("unsupported", title() + " works in device memory, and this device has none");
  return run_on_device(device, problem, *this, inputs, with_reference);
}

}  // namespace pawl
