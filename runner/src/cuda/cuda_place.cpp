#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include <exception>
#include <map>
#include <memory>
#include <vector>

#include "../candidate/place.hpp"
#include "../error.hpp"
#include "cuda_error.hpp"
#include "cuda_settings.hpp"
#include "graph_replay.hpp"
#include "launch_audit.hpp"
#include "pawl_timer.h"
#include "shared_memory.hpp"

namespace pawl {
namespace {

/**
 * A GPU, in the process that launches on it. Everything is timed on the legacy default stream: it waits for, and holds
 * up, every stream but those that were made not to, so that a kernel is inside the interval wherever it launches.
 */
class CudaPlace final : public Place {
 public:
  CudaPlace(int index, bool sanitized) : index_(index), sanitized_(sanitized) {
    check_timer(pawl_timer_create(index, &timer_));
    // Captures want a stream of their own, and one that the legacy stream does not wait for.
    PAWL_CUDA(cudaStreamCreateWithFlags(&capturing_, cudaStreamNonBlocking));
    PAWL_CUDA(cudaMalloc(reinterpret_cast<void **>(&pulse_), sizeof *pulse_));
    check_timer(pawl_timer_reset_l2(timer_));
  }
  ~CudaPlace() override {
    graph_.reset();
    pawl_timer_destroy(timer_);
    cudaStreamDestroy(capturing_);
    cudaFree(pulse_);
  }

  void *map(int descriptor, std::size_t bytes) override { return shared_.map(index_, descriptor, bytes); }
  void unmap(void *data) override { shared_.release(data); }

  void prepare(MappedCase &mapped) override {
    if (!sanitized_) {
      spans_.assign(mapped.sets.size(), {});
      for (std::size_t set = 0; set < mapped.sets.size(); ++set)
        for (std::size_t t = 0; t < mapped.sets[set].size(); ++t)
          spans_[set].push_back({mapped.sets[set][t], mapped.tensors[t].bytes});
      return;
    }
    // compute-sanitizer knows the ends of allocations: the kernel gets some that end where its tensors do.
    for (std::vector<void *> &set : mapped.sets)
      for (std::size_t t = 0; t < set.size(); ++t) {
        void *exact = nullptr;
        PAWL_CUDA(cudaMalloc(&exact, mapped.tensors[t].bytes));
        mirrors_.push_back({set[t], exact, mapped.tensors[t].bytes});
        set[t] = exact;
      }
  }
  void forget() override {
    graph_.reset();
    spans_.clear();
    for (const Mirror &mirror : mirrors_) cudaFree(mirror.exact);
    mirrors_.clear();
  }

  void use_prepared(std::size_t set, void *data, std::size_t bytes) override {
    if (set < spans_.size()) spans_[set].push_back({data, bytes});
  }
  Json prepare_inputs(Kernel &kernel, std::size_t set) override {
    for (const Mirror &mirror : mirrors_) PAWL_CUDA(cudaMemcpy(mirror.exact, mirror.shared, mirror.bytes, cudaMemcpyDefault));
    Json told = kernel.prepare_inputs(set);
    PAWL_CUDA(cudaDeviceSynchronize());
    for (const Mirror &mirror : mirrors_) PAWL_CUDA(cudaMemcpy(mirror.shared, mirror.exact, mirror.bytes, cudaMemcpyDefault));
    return told;
  }

  Json run(Kernel &kernel, const Run &run) override {
    for (const Mirror &mirror : mirrors_) PAWL_CUDA(cudaMemcpy(mirror.exact, mirror.shared, mirror.bytes, cudaMemcpyDefault));
    const pawl_timing timing = time(kernel, run);
    for (const Mirror &mirror : mirrors_) PAWL_CUDA(cudaMemcpy(mirror.shared, mirror.exact, mirror.bytes, cudaMemcpyDefault));
    Json answer = Json::object().set("ms", timing.ms).set("clock_mhz", timing.clock_mhz);
    if (timing.timed_out != 0) answer.set("timed_out", true);
    if (run.watch) answer.set("busy_after_ms", pawl_timer_busy_after_ms(timer_));
    return answer;
  }

  void capture(Kernel &kernel, std::size_t set, std::int64_t batch) override {
    graph_.reset();
    if (kernel.captures())
      kernel.capture(set, batch);
    else
      graph_ = std::make_unique<GraphReplay>(kernel, set, batch, capturing_);
  }

  void list_settings(Facts &facts) override { list_cuda_settings(facts); }
  void list_launches(Kernel &kernel, std::size_t set, Json &answer) override {
    list_captured_launches(kernel, set, capturing_, answer);
  }

  void profile(Kernel &kernel, std::int64_t launches) override {
    const auto call = [&] {
      const int status = kernel.run(0);
      PAWL_CUDA(cudaDeviceSynchronize());
      if (status != 0) kernel.fail(status);
    };
    call();
    PAWL_CUDA(cudaProfilerStart());
    for (std::int64_t i = 0; i < launches; ++i) call();
    PAWL_CUDA(cudaProfilerStop());
  }

 private:
  struct Mirror {
    void *shared;
    void *exact;
    std::size_t bytes;
  };

  int index_;
  bool sanitized_;
  pawl_timer *timer_ = nullptr;
  cudaStream_t capturing_ = nullptr;
  int *pulse_ = nullptr;
  std::unique_ptr<GraphReplay> graph_;
  CudaSharedMemory shared_;
  std::vector<Mirror> mirrors_;
  /** The memory of each set. */
  std::vector<std::vector<pawl_span>> spans_;

  static void check_timer(int status) {
    if (status != 0) throw_cuda_error(static_cast<cudaError_t>(status), pawl_timer_error());
  }

  /** Whatever the kernel does, the interval is ended, so that the stream is released. */
  pawl_timing time(Kernel &kernel, const Run &run) {
    if (run.bare) {
      // Something of ours comes first, whatever the calls are: the device is taken over from the judge in every run.
      PAWL_CUDA(cudaMemsetAsync(pulse_, 0, sizeof *pulse_, nullptr));
      launch(kernel, run);
      PAWL_CUDA(cudaDeviceSynchronize());
      return {};
    }
    const int flags = (run.blocked ? PAWL_TIMER_BLOCK : 0) | (run.watch ? PAWL_TIMER_WATCH : 0) |
                      (run.rest ? PAWL_TIMER_REST : 0);
    for (const std::size_t set : run.sets)
      if (set < spans_.size())
        check_timer(pawl_timer_touch(timer_, nullptr, spans_[set].data(), static_cast<int32_t>(spans_[set].size())));
    check_timer(pawl_timer_begin(timer_, nullptr, flags));
    std::exception_ptr thrown;
    try {
      launch(kernel, run);
    } catch (...) {
      thrown = std::current_exception();
    }
    pawl_timing timing{};
    check_timer(pawl_timer_end(timer_, nullptr, &timing));
    PAWL_CUDA(cudaDeviceSynchronize());
    if (thrown) std::rethrow_exception(thrown);
    return timing;
  }

  void launch(Kernel &kernel, const Run &run) {
    int status = 0;
    for (std::int64_t i = 0; i < run.repeat && status == 0; ++i) {
      if (run.captured && kernel.captures()) {
        status = kernel.run_captured();
      } else if (run.captured) {
        if (graph_ == nullptr) throw RunnerError("bad-request", "nothing was captured");
        PAWL_CUDA(graph_->launch(nullptr));
      } else {
        for (const std::size_t set : run.sets)
          if (status == 0) status = kernel.run(set);
      }
    }
    // First the device: a kernel that reports the error which ended its context has lost the device.
    if (status != 0) PAWL_CUDA(cudaDeviceSynchronize());
    if (status != 0) kernel.fail(status);
  }
};

}  // namespace

std::unique_ptr<Place> make_cuda_place(int index, bool sanitized) {
  return std::make_unique<CudaPlace>(index, sanitized);
}

}  // namespace pawl
