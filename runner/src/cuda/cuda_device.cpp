#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>

#include "../device.hpp"
#include "../error.hpp"
#include "../prepared_case.hpp"
#include "../timed_guard.hpp"
#include "../watch/kernel_watch.hpp"
#include "cuda_error.hpp"
#include "cuda_info.hpp"
#include "cuda_memory.hpp"
#include "cuda_settings.hpp"
#include "device_watch.hpp"
#include "graph_replay.hpp"
#include "launch_audit.hpp"
#include "pawl_timer.h"
#include "throttle_log.hpp"

namespace pawl {
namespace {

using Clock = std::chrono::steady_clock;

/** A hot sample lasts this long, so that events' resolution and the clock reading are far below it ... */
constexpr double HOT_SAMPLE_MS = 1;
/** ... unless that takes more launches than fit into the launch queue, which holds about a thousand. */
constexpr std::int64_t MOST_LAUNCHES = 200;
constexpr std::size_t MOST_SETS = 32;
/** Event timing steps are longer than this; a sample of 0 would be no time. */
constexpr double LEAST_MS = 1e-6;
/** Calls that find out what looking for work elsewhere costs. */
constexpr int RESTED = 5;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/** A count of devices, or the reason why there is none: `cudaGetDeviceCount` is the first call of all. */
void require_device(int index) {
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
    // CUDA calls a missing driver an old one; its version is then 0.
    int driver = 0;
    const bool missing = cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0;
    throw RunnerError("device-error", std::string("CUDA cannot be used here: ") +
                                          (missing ? "there is no NVIDIA driver" : cudaGetErrorString(error)));
  }
  if (index >= count)
    throw RunnerError("device-error", "there is no CUDA device " + std::to_string(index) + "; there are " +
                                          std::to_string(count));
}

class CudaDevice final : public Device {
 public:
  explicit CudaDevice(int index) : index_(index) {
    require_device(index);
    check_timer(pawl_timer_create(index, &timer_));
    // An ordinary stream, not a non-blocking one: work that a kernel puts on the default stream by mistake is
    // then ordered with ours and inside the interval.
    PAWL_CUDA(cudaStreamCreate(&stream_));
    PAWL_CUDA(cudaMalloc(reinterpret_cast<void **>(&counter_), sizeof *counter_));
    int l2_bytes = 0;
    PAWL_CUDA(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, index));
    l2_bytes_ = static_cast<std::size_t>(l2_bytes);
    free_at_start_ = least_free_ = free_bytes();
    // The settings that audits compare with are those that samples are taken under.
    check_timer(pawl_timer_reset_l2(timer_));
  }

  ~CudaDevice() override {
    graph_.reset();
    pawl_timer_destroy(timer_);
    cudaFree(counter_);
    cudaStreamDestroy(stream_);
  }

  Json info() override { return cuda_device_info(index_); }
  Json state() override { return cuda_device_state(index_); }
  std::vector<std::string> modes() const override { return {"cold", "hot", "graph"}; }
  std::map<std::string, std::string> versions() const override {
    return {{"nvcc", std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__) + "." +
                         std::to_string(__CUDACC_VER_BUILD__)},
            {"host_compiler", __VERSION__}};
  }

  void *allocate(std::size_t bytes) override {
    void *data = allocate_scratch(bytes);
    note_free_memory();
    return data;
  }
  void *allocate_scratch(std::size_t bytes) override {
    void *data = nullptr;
    if (const cudaError_t error = cudaMalloc(&data, bytes); error != cudaSuccess)
      throw_cuda_error(error, "cudaMalloc of " + std::to_string(bytes) + " bytes with " +
                                  std::to_string(free_bytes()) + " free");
    return data;
  }
  void release(void *data) override { cudaFree(data); }
  void set_bytes(void *data, unsigned char value, std::size_t bytes) override {
    PAWL_CUDA(cudaMemsetAsync(data, value, bytes, stream_));
  }
  void copy_to_host(void *host, const void *data, std::size_t bytes) override {
    PAWL_CUDA(cudaMemcpyAsync(host, data, bytes, cudaMemcpyDeviceToHost, stream_));
    PAWL_CUDA(cudaStreamSynchronize(stream_));
  }
  void copy_from_host(void *data, const void *host, std::size_t bytes) override {
    PAWL_CUDA(cudaMemcpyAsync(data, host, bytes, cudaMemcpyHostToDevice, stream_));
  }
  void copy(void *to, const void *from, std::size_t bytes) override {
    PAWL_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_));
  }
  void fill(void *data, pawl_dtype dtype, std::size_t count, const Fill &fill, std::uint64_t key) override {
    launch_fill(data, dtype, count, fill, key, stream_);
  }
  void refresh(const std::vector<Refresh> &tensors) override { launch_refresh(tensors, stream_); }
  void widen(void *wide, const void *data, pawl_dtype dtype, std::size_t count) override {
    launch_widen(wide, data, dtype, count, stream_);
  }
  void wait() override {
    PAWL_CUDA(cudaStreamSynchronize(stream_));
    PAWL_CUDA(cudaGetLastError());
  }
  std::uint64_t hash(const std::vector<Region> &regions) override {
    PAWL_CUDA(cudaMemsetAsync(counter_, 0, sizeof *counter_, stream_));
    for (const Region &region : regions) launch_hash(region, counter_, stream_);
    return read_counter();
  }
  std::size_t count_poisoned(const std::vector<Elements> &searched) override {
    PAWL_CUDA(cudaMemsetAsync(counter_, 0, sizeof *counter_, stream_));
    for (const Elements &elements : searched) launch_count_poisoned(elements, counter_, stream_);
    return read_counter();
  }

  /** ⌈5·L2 / bytes⌉ + 1, at most 32 and at most 40 % of the free memory. */
  std::size_t default_sets(std::size_t bytes_per_set) override {
    const std::size_t bytes = std::max<std::size_t>(bytes_per_set, 1);
    const std::size_t wanted = (5 * l2_bytes_ + bytes - 1) / bytes + 1;
    const std::size_t fitting = free_bytes() / 10 * 4 / bytes;
    return std::clamp<std::size_t>(std::min(wanted, fitting), 1, MOST_SETS);
  }
  void *stream() override { return stream_; }

  void run_once(PreparedCase &prepared, std::size_t set) override {
    kernel_watch().calls().begin();
    const int status = prepared.run(set);
    kernel_watch().calls().end();
    // First the device: a kernel that reports the error which ended its context has lost the device.
    PAWL_CUDA(cudaStreamSynchronize(stream_));
    if (status != 0) prepared.fail(status);
  }

  SampleOutcome sample(PreparedCase &prepared, const SampleRequest &request) override;

  void profile(PreparedCase &prepared, std::int64_t launches) override {
    run_once(prepared, 0);
    PAWL_CUDA(cudaProfilerStart());
    for (std::int64_t i = 0; i < launches; ++i) run_once(prepared, 0);
    PAWL_CUDA(cudaProfilerStop());
  }

  void forget_case() override {
    graph_.reset();
    batch_ = 0;
    most_launches_ = MOST_LAUNCHES;
    warmed_up_ = false;
    kernel_waits_ = false;
  }

  std::optional<double> memory_peak_bytes() override {
    note_free_memory();
    return static_cast<double>(free_at_start_ - least_free_);
  }

  void wait_for_all() override { PAWL_CUDA(cudaDeviceSynchronize()); }
  void list_settings(Facts &facts) override { list_cuda_settings(index_, stream_, facts); }
  std::optional<double> used_bytes() override {
    std::size_t free_now = 0, total = 0;
    PAWL_CUDA(cudaMemGetInfo(&free_now, &total));
    return static_cast<double>(total - free_now);
  }
  void audit_launches(PreparedCase &prepared, AuditReport &report) override {
    audit_captured_call(*this, prepared, 0, stream_, report);
  }

 private:
  int index_;
  pawl_timer *timer_ = nullptr;
  cudaStream_t stream_ = nullptr;
  unsigned long long *counter_ = nullptr;
  std::size_t l2_bytes_ = 0;
  std::size_t free_at_start_ = 0;
  std::size_t least_free_ = 0;
  std::unique_ptr<GraphReplay> graph_;
  std::int64_t batch_ = 0;
  std::int64_t most_launches_ = MOST_LAUNCHES;
  bool warmed_up_ = false;
  /** The kernel synchronises inside pawl_run: the blocking kernel would only time out. */
  bool kernel_waits_ = false;

  static void check_timer(int status) {
    if (status != 0) throw_cuda_error(static_cast<cudaError_t>(status), pawl_timer_error());
  }

  std::size_t free_bytes() {
    std::size_t free_now = 0, total = 0;
    PAWL_CUDA(cudaMemGetInfo(&free_now, &total));
    return free_now;
  }
  void note_free_memory() { least_free_ = std::min(least_free_, free_bytes()); }

  std::uint64_t read_counter() {
    unsigned long long value = 0;
    copy_to_host(&value, counter_, sizeof value);
    return value;
  }

  /** One timed interval. Whatever the kernel does, the interval is ended, so that the stream is released. */
  pawl_timing take(PreparedCase &prepared, Mode mode, std::size_t set, std::int64_t batch, bool blocked,
                   int watch_flags = 0) {
    check_timer(pawl_timer_begin(timer_, stream_,
                                 (mode == Mode::cold ? PAWL_TIMER_FLUSH_L2 : 0) | (blocked ? PAWL_TIMER_BLOCK : 0) |
                                     watch_flags));
    int status = 0;
    cudaError_t replayed = cudaSuccess;
    std::exception_ptr thrown;
    try {
      if (mode == Mode::graph)
        replayed = graph_->launch(stream_);
      else
        for (std::int64_t i = 0; i < batch && status == 0; ++i) status = prepared.run(set);
    } catch (...) {
      thrown = std::current_exception();
    }
    pawl_timing timing{};
    check_timer(pawl_timer_end(timer_, stream_, &timing));
    if (thrown) std::rethrow_exception(thrown);
    check_cuda(replayed, "cudaGraphLaunch");
    if (status != 0) prepared.fail(status);
    return timing;
  }

  /** Launches in a hot or graph sample; the one of the request before where it still fits. */
  void choose_batch(PreparedCase &prepared, bool blocked) {
    const double call_ms = std::max(take(prepared, Mode::hot, 0, 1, blocked).ms, LEAST_MS);
    const auto ideal = static_cast<std::int64_t>(std::ceil(HOT_SAMPLE_MS / call_ms));
    const std::int64_t fitting = std::clamp<std::int64_t>(ideal, 1, most_launches_);
    if (batch_ > most_launches_ || 2 * batch_ < fitting || batch_ > 2 * fitting) batch_ = fitting;
  }

  void ensure_graph(PreparedCase &prepared) {
    if (graph_ != nullptr && graph_->batch() == batch_) return;
    graph_.reset();
    graph_ = std::make_unique<GraphReplay>(prepared, 0, batch_, stream_);
  }
};

SampleOutcome CudaDevice::sample(PreparedCase &prepared, const SampleRequest &request) {
  const auto started = Clock::now();
  const Mode mode = request.mode;
  const bool cold = mode == Mode::cold;
  bool blocked = request.blocked && !kernel_waits_;
  SampleOutcome outcome;

  // The first launch loads the kernel's module, which a held stream would delay until the hold times out.
  if (!warmed_up_) run_once(prepared, 0);
  warmed_up_ = true;
  check_timer(pawl_timer_reset_l2(timer_));
  if (!cold) {
    choose_batch(prepared, blocked);
    outcome.batch = batch_;
    prepared.mark_touched(0);
  }
  if (mode == Mode::graph) ensure_graph(prepared);

  ThrottleLog throttle(index_);
  DeviceWatch watch;
  const auto start_over = [&] {
    outcome.samples_ms.clear();
    outcome.clock_mhz.clear();
    throttle.clear();
    watch.clear();
    request.guard.start_over();
  };
  bool clocks_read = true;
  int timeouts = 0;
  while (static_cast<std::int64_t>(outcome.samples_ms.size()) < request.count) {
    if (!outcome.samples_ms.empty() && milliseconds_since(started) >= request.budget_ms) break;
    throttle.poll_if_due();
    const std::size_t set = cold ? prepared.next_set() : 0;
    request.guard.before(set);
    const pawl_timing timing = take(prepared, mode, set, outcome.batch, blocked,
                                    request.guard.active() ? PAWL_TIMER_WATCH : 0);
    outcome.timed_ms += timing.ms;
    if (timing.timed_out != 0) {
      if (outcome.batch > 1) {
        // A kernel of several launches a call can fill the launch queue, and the host then waits for the hold.
        most_launches_ = batch_ = outcome.batch = std::max<std::int64_t>(1, outcome.batch / 4);
        if (mode == Mode::graph) ensure_graph(prepared);
        start_over();
      } else if (++timeouts >= 2) {
        // Once may be a host that was busy elsewhere; twice is the kernel.
        kernel_waits_ = true;
        blocked = false;
        start_over();
      }
      continue;
    }
    request.guard.after(set, outcome.batch);
    if (request.guard.active()) watch.add(timer_, timing.ms);
    throttle.sample_taken();
    outcome.samples_ms.push_back(std::max(timing.ms, LEAST_MS) / static_cast<double>(outcome.batch));
    outcome.clock_mhz.push_back(timing.clock_mhz);
    clocks_read = clocks_read && timing.clock_mhz > 0;
  }

  outcome.timing = blocked ? "blocked" : "plain";
  if (kernel_waits_ && request.blocked)
    outcome.notes.push_back(
        "pawl_run waits for the device, so the stream could not be held: launch latency is inside the samples");
  if (!clocks_read) {
    outcome.clock_mhz.clear();
    outcome.notes.push_back("the SM clock could not be read in band for every sample");
  }
  outcome.throttle_masks = throttle.finish();
  if (watch.suspects())
    for (int i = 0; i < RESTED; ++i) {
      const std::size_t set = cold ? prepared.next_set() : 0;
      take(prepared, mode, set, outcome.batch, blocked, PAWL_TIMER_WATCH | PAWL_TIMER_REST);
      watch.add_rested(timer_);
    }
  watch.report(request.guard);
  note_free_memory();
  return outcome;
}

}  // namespace

std::unique_ptr<Device> make_cuda_device(int index) { return std::make_unique<CudaDevice>(index); }

}  // namespace pawl
