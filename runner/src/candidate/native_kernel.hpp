#pragma once

#include <memory>
#include <vector>

#include "../kernel_library.hpp"
#include "kernel.hpp"

namespace pawl {

/** A kernel that is a shared library with `pawl_run` (pawl_kernel.h). */
class NativeKernel final : public Kernel {
 public:
  Json load(const Fields &request, int descriptor) override;
  std::size_t prepare(const MappedCase &mapped, const Fields &request, void *stream) override;
  void use_workspace(void *data, std::size_t bytes) override;
  void use_stream(void *stream) override;
  std::size_t prepared_bytes() override;
  void use_prepared(std::size_t set, void *data, std::size_t bytes) override;
  Json prepare_inputs(std::size_t set) override;
  void forget() override;
  int run(std::size_t set) override { return library_->run(&sets_[set].call); }
  [[noreturn]] void fail(int status) const override { library_->fail(status); }

 private:
  struct Set {
    std::vector<pawl_tensor> tensors;
    pawl_call call;
  };

  std::unique_ptr<KernelLibrary> library_;
  MappedCase mapped_;
  std::vector<pawl_dim> dims_;
  std::vector<pawl_scalar> scalars_;
  std::vector<Set> sets_;
  /** The tensors that it may prepare from, by name. */
  std::vector<std::string> prepared_of_;
};

}  // namespace pawl
