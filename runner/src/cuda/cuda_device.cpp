#include <cuda_runtime.h>

#include <algorithm>
#include <map>

#include "../device.hpp"
#include "../error.hpp"
#include "cuda_comparison.hpp"
#include "cuda_error.hpp"
#include "cuda_info.hpp"
#include "cuda_memory.hpp"
#include "cuda_view.hpp"
#include "../random_bits.hpp"
#include "scratch_memory.hpp"
#include "shared_memory.hpp"

namespace pawl {
namespace {

/** A hot sample lasts this long, so that events' resolution and the clock reading are far below it ... */
constexpr double HOT_SAMPLE_MS = 1;
/** ... unless that takes more launches than fit into the launch queue, which holds about a thousand. */
constexpr std::int64_t MOST_LAUNCHES = 200;
constexpr std::size_t MOST_SETS = 32;
/** Written before a cold interval: this, or four times an L2 that is larger than a quarter of it. */
constexpr std::size_t LEAST_FLUSH_BYTES = std::size_t(256) << 20;
/** Sets of this size take memory that oracles need, in 64 bits, for the same tensors. */
constexpr std::size_t LARGE_SET_BYTES = std::size_t(2) << 30;
/** The most that is held to draw a place, and its share of what is free: a kernel with large buffers of its own must fit. */
constexpr std::size_t MOST_HELD_BYTES = std::size_t(16) << 30, HELD_SHARE = 10;

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
    watch_cuda_processes(index);
    PAWL_CUDA(cudaSetDevice(index));
    PAWL_CUDA(cudaFree(nullptr));  // makes the context
    note_cuda_context(index);
    PAWL_CUDA(cudaStreamCreate(&stream_));
    comparison_ = std::make_unique<CudaComparison>(stream_);
    scratch_ = std::make_unique<CudaScratch>();
    PAWL_CUDA(cudaMalloc(reinterpret_cast<void **>(&counter_), sizeof *counter_));
    int l2_bytes = 0;
    PAWL_CUDA(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, index));
    l2_bytes_ = static_cast<std::size_t>(l2_bytes);
    flush_bytes_ = std::max(LEAST_FLUSH_BYTES, 4 * l2_bytes_);
    PAWL_CUDA(cudaMalloc(&flush_, flush_bytes_));
    free_at_start_ = least_free_ = free_bytes();
  }

  ~CudaDevice() override {
    leave_place();
    scratch_.reset();
    comparison_.reset();
    cudaFree(flush_);
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

  Pace pace() const override { return {HOT_SAMPLE_MS, MOST_LAUNCHES, true}; }

  void *allocate(std::size_t bytes) override {
    void *data = shared_.allocate(index_, bytes);
    note_free_memory();
    return data;
  }
  std::pair<int, std::size_t> shared(const void *data) const override { return shared_.descriptor_of(data); }
  void stir() const override {
    PAWL_CUDA(cudaMemsetAsync(counter_, 0, sizeof *counter_, stream_));
    PAWL_CUDA(cudaStreamSynchronize(stream_));
  }
  std::vector<int> processes() const override { return cuda_processes(index_); }
  void candidate_started(const std::vector<int> &before) const override { note_cuda_candidate(index_, before); }
  void candidate_is_empty() override {
    if (context_bytes_ == 0) context_bytes_ = free_at_start_ - std::min(free_at_start_, free_bytes() + own_bytes());
  }
  void candidate_waits(bool waits) override { waiting_bytes_ = waits ? context_bytes_ : 0; }
  void draw_place() override {
    const std::size_t most = std::min(MOST_HELD_BYTES, free_bytes() / HELD_SHARE);
    const std::size_t bytes = most == 0 ? 0 : random_bits() % most;
    if (const unsigned long long handle = bytes == 0 ? 0 : shared_.hold(index_, bytes)) held_[handle] = bytes;
  }
  void leave_place() override {
    for (const auto &[handle, bytes] : held_) shared_.let_go(handle);
    held_.clear();
  }
  void candidate_ended() override { free_at_start_ = least_free_ = free_bytes() + own_bytes(); }
  void *allocate_beside(std::size_t bytes) override {
    void *data = shared_.allocate(index_, bytes);
    beside_.emplace(data, shared_.descriptor_of(data).second);
    return data;
  }
  void *allocate_scratch(std::size_t bytes) override { return scratch_->allocate(bytes); }
  void release(void *data) override {
    beside_.erase(data);
    if (!shared_.release(data)) scratch_->release(data);
  }
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
  void fill_view(void *data, pawl_dtype dtype, const View &view, const Fill &fill, std::uint64_t key) override {
    launch_fill_view(data, dtype, view, fill, key, stream_);
  }
  void refresh_view(const Refresh &tensor, const View &view) override { launch_refresh_view(tensor, view, stream_); }
  void gather(void *elements, const void *storage, const View &view, std::size_t element_bytes) override {
    launch_gather(elements, storage, view, element_bytes, stream_);
  }
  void scatter(void *storage, const void *elements, const View &view, std::size_t element_bytes) override {
    launch_scatter(storage, elements, view, element_bytes, stream_);
  }
  void widen(void *wide, pawl_dtype wide_dtype, const void *data, pawl_dtype dtype, std::size_t count) override {
    comparison_->widen(wide, wide_dtype, data, dtype, count);
  }
  void write(const Written &written, const Answer &answer) override { comparison_->write(written, answer); }
  Compared compare(const Comparison &comparison) override { return comparison_->compare(comparison); }
  Difference difference(const TwoRuns &runs) override { return comparison_->difference(runs); }
  Description describe(const Described &described) override { return comparison_->describe(described); }
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

  std::size_t spare_bytes() override { return free_bytes() / 12; }
  /** ⌈5·L2 / bytes⌉ + 1, at most 32 and at most 40 % of the free memory; one of what is far larger than any cache. */
  std::size_t default_sets(std::size_t bytes_per_set) override {
    const std::size_t bytes = std::max<std::size_t>(bytes_per_set, 1);
    if (bytes >= LARGE_SET_BYTES) return 1;
    const std::size_t wanted = (5 * l2_bytes_ + bytes - 1) / bytes + 1;
    const std::size_t fitting = (free_bytes() + held_bytes()) / 10 * 4 / bytes;
    return std::clamp<std::size_t>(std::min(wanted, fitting), 1, MOST_SETS);
  }
  void *stream() override { return stream_; }
  /** Whatever the L2 held is not there any more; lines that a kernel made persist are made ordinary first. */
  void empty_caches(const std::vector<Region> &) override {
    if (cudaCtxResetPersistingL2Cache() != cudaSuccess) cudaGetLastError();
    PAWL_CUDA(cudaMemsetAsync(flush_, ++flush_value_, flush_bytes_, stream_));
  }

  std::optional<double> memory_peak_bytes() override {
    note_free_memory();
    return static_cast<double>(free_at_start_ - least_free_);
  }
  std::optional<double> used_bytes() override {
    std::size_t free_now = 0, total = 0;
    PAWL_CUDA(cudaMemGetInfo(&free_now, &total));
    return static_cast<double>(total - free_now);
  }
  std::optional<std::uint64_t> throttle_mask() override { return cuda_throttle_mask(index_); }
  void list_settings(Facts &facts) override {
    for (const auto &[name, value] : cuda_device_settings(index_)) facts["the GPU's " + name] = value;
  }

 private:
  int index_;
  cudaStream_t stream_ = nullptr;
  CudaSharedMemory shared_;
  /** What oracles and generators work in, with its bytes. */
  std::map<const void *, std::size_t> beside_;
  /** What draws the place of a case's tensors, by its handle. */
  std::map<unsigned long long, std::size_t> held_;
  std::size_t context_bytes_ = 0;
  std::size_t waiting_bytes_ = 0;
  std::unique_ptr<CudaScratch> scratch_;
  std::unique_ptr<CudaComparison> comparison_;
  unsigned long long *counter_ = nullptr;
  std::size_t l2_bytes_ = 0;
  void *flush_ = nullptr;
  std::size_t flush_bytes_ = 0;
  unsigned char flush_value_ = 0;
  std::size_t free_at_start_ = 0;
  std::size_t least_free_ = 0;

  std::size_t free_bytes() {
    std::size_t free_now = 0, total = 0;
    PAWL_CUDA(cudaMemGetInfo(&free_now, &total));
    return free_now;
  }
  std::size_t held_bytes() const {
    std::size_t bytes = 0;
    for (const auto &[handle, held] : held_) bytes += held;
    return bytes;
  }
  std::size_t own_bytes() const {
    std::size_t bytes = scratch_->held_bytes() + held_bytes() + waiting_bytes_;
    for (const auto &[data, held] : beside_) bytes += held;
    return bytes;
  }
  /** What the judge holds for itself does not count as what the kernel needs. */
  void note_free_memory() { least_free_ = std::min(least_free_, free_bytes() + own_bytes()); }

  std::uint64_t read_counter() {
    unsigned long long value = 0;
    copy_to_host(&value, counter_, sizeof value);
    return value;
  }
};

}  // namespace

std::unique_ptr<Device> make_cuda_device(int index) { return std::make_unique<CudaDevice>(index); }

}  // namespace pawl
