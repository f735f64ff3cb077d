/** The CUDA timer of runner/include/pawl_timer.h: nothing else in Pawl times a GPU. */
#include "pawl_timer.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <string>
#include <thread>
#include <vector>


namespace {

/** How long the blocking kernel waits for its release before it gives up. */
constexpr unsigned long long HOLD_TIMEOUT_NS = 100'000'000;
/** Window of a clock reading: long enough that the few nanoseconds around each stamp stay below 0.1 %. */
constexpr unsigned long long CLOCK_WINDOW_NS = 200'000;
/** %smid is below %nsmid, which may exceed the number of multiprocessors; no GPU has this many. */
constexpr unsigned SLOTS = 512;
/** Far longer than what looking for other work can be mistaken for. */
constexpr std::chrono::milliseconds REST{5};

/** One multiprocessor's clocks at one moment. The generation says which sample the stamp belongs to. */
struct Stamp {
  unsigned long long generation;
  unsigned long long cycles;
  unsigned long long ns;
};

/** In mapped host memory: how the host releases the stream, and how the stream says that it gave up. */
struct Gate {
  volatile unsigned long long released;
  char padding[120];
  volatile unsigned long long gave_up;
};

__device__ unsigned long long global_ns() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

__device__ unsigned sm_id() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

/** Generations only grow, so a late or early release can never meet the wrong sample. */
__global__ void hold_stream(Gate *gate, unsigned long long generation) {
  const unsigned long long start = global_ns();
  while (gate->released < generation) {
    if (global_ns() - start > HOLD_TIMEOUT_NS) {
      gate->gave_up = generation;
      __threadfence_system();
      return;
    }
  }
}

/**
 * Stamps every multiprocessor that a block lands on. `earlier`, where given, holds the start stamps: the end
 * waits until the window is long enough. The stamp is taken on a tick of %globaltimer, whose step can be 1 µs.
 */
__global__ void stamp_clocks(Stamp *stamps, const Stamp *earlier, unsigned long long generation) {
  if (threadIdx.x != 0) return;
  const unsigned sm = sm_id();
  if (sm >= SLOTS || atomicExch(&stamps[sm].generation, generation) == generation) return;
  if (earlier != nullptr && earlier[sm].generation == generation)
    while (global_ns() - earlier[sm].ns < CLOCK_WINDOW_NS) {
    }
  const unsigned long long before = global_ns();
  const long long wait_from = clock64();
  unsigned long long ns = before;
  // 8192 cycles are several microseconds: a timer that steps more slowly is read as it is.
  while (ns == before && clock64() - wait_from < 8192) ns = global_ns();
  stamps[sm].cycles = static_cast<unsigned long long>(clock64());
  stamps[sm].ns = ns;
}

/** Memory whose pages are looked at before an interval: as many tensors as nearly every kernel has. */
constexpr int MOST_SPANS = 32;
struct Spans {
  pawl_span spans[MOST_SPANS];
};
/** Of device memory; smaller pages would be looked at now and then only, which does no harm. */
constexpr std::size_t PAGE_BYTES = std::size_t(2) << 20;

/** On every multiprocessor, since each finds pages for itself. One sector per page does not warm the cache. */
__global__ void touch_pages(Spans spans, int count) {
  unsigned sum = 0;
  for (int i = 0; i < count; ++i) {
    const auto *data = static_cast<const volatile unsigned char *>(spans.spans[i].data);
    for (std::size_t at = threadIdx.x * PAGE_BYTES; at < spans.spans[i].bytes; at += blockDim.x * PAGE_BYTES)
      sum += data[at];
    if (threadIdx.x == 0 && spans.spans[i].bytes > 0) sum += data[spans.spans[i].bytes - 1];
  }
  // Never so: for the compiler, which leaves out unused sums.
  if (sum == 0xFFFFFFFFu) __trap();
}

using HostClock = std::chrono::steady_clock;

double milliseconds_between(HostClock::time_point from, HostClock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

thread_local std::string last_error;

int remember(cudaError_t error, const char *call) {
  last_error = std::string(call) + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")";
  cudaGetLastError();
  return error;
}

}  // namespace

#define TRY(call)                                                     \
  do {                                                                \
    const cudaError_t status_ = (call);                               \
    if (status_ != cudaSuccess) return remember(status_, #call);      \
  } while (0)

struct pawl_timer {
  int device = 0;
  unsigned sm_count = 1;
  unsigned long long generation = 0;
  bool blocked = false;
  bool watched = false;
  bool rests = false;
  double busy_after_ms = 0;
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  Gate *gate = nullptr;         // host address
  Gate *device_gate = nullptr;  // the same memory, as the device sees it
  Stamp *stamps = nullptr;      // device: SLOTS at the start, SLOTS at the end
  Stamp *host_stamps = nullptr;
};

namespace {

int build(pawl_timer *timer) {
  int sm_count = 0;
  TRY(cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, timer->device));
  timer->sm_count = static_cast<unsigned>(sm_count);
  TRY(cudaEventCreate(&timer->start));
  TRY(cudaEventCreate(&timer->stop));
  void *memory = nullptr;
  TRY(cudaHostAlloc(&memory, sizeof(Gate), cudaHostAllocMapped));
  std::memset(memory, 0, sizeof(Gate));
  timer->gate = static_cast<Gate *>(memory);
  TRY(cudaHostGetDevicePointer(&memory, timer->gate, 0));
  timer->device_gate = static_cast<Gate *>(memory);
  TRY(cudaMalloc(&memory, 2 * SLOTS * sizeof(Stamp)));
  timer->stamps = static_cast<Stamp *>(memory);
  TRY(cudaMemset(timer->stamps, 0, 2 * SLOTS * sizeof(Stamp)));
  TRY(cudaHostAlloc(&memory, 2 * SLOTS * sizeof(Stamp), cudaHostAllocDefault));
  timer->host_stamps = static_cast<Stamp *>(memory);
  // Modules load lazily, and loading one while the stream is held would wait for the hold: load these now.
  pawl_timing ignored;
  for (int warm_up = 0; warm_up < 2; ++warm_up) {
    if (const int error = pawl_timer_begin(timer, nullptr, 0)) return error;
    hold_stream<<<1, 1>>>(timer->device_gate, 0);
    TRY(cudaGetLastError());
    if (const int error = pawl_timer_end(timer, nullptr, &ignored)) return error;
  }
  return 0;
}

/** The median over multiprocessors that were stamped at both ends; 0 when there is none. */
double clock_mhz(const pawl_timer *timer) {
  std::vector<double> clocks;
  for (unsigned sm = 0; sm < SLOTS; ++sm) {
    const Stamp &from = timer->host_stamps[sm];
    const Stamp &to = timer->host_stamps[SLOTS + sm];
    if (from.generation != timer->generation || to.generation != timer->generation || to.ns <= from.ns) continue;
    clocks.push_back(static_cast<double>(to.cycles - from.cycles) / static_cast<double>(to.ns - from.ns) * 1000);
  }
  if (clocks.empty()) return 0;
  const auto middle = clocks.begin() + static_cast<std::ptrdiff_t>(clocks.size() / 2);
  std::nth_element(clocks.begin(), middle, clocks.end());
  return *middle;
}

}  // namespace

#define PAWL_TIMER_EXPORT extern "C"

PAWL_TIMER_EXPORT int pawl_timer_create(int device, pawl_timer **timer) {
  *timer = nullptr;
  TRY(cudaSetDevice(device));
  TRY(cudaFree(nullptr));  // makes the context
  auto *made = new (std::nothrow) pawl_timer;
  if (made == nullptr) return remember(cudaErrorMemoryAllocation, "new pawl_timer");
  made->device = device;
  if (const int error = build(made)) {
    const std::string reason = last_error;
    pawl_timer_destroy(made);
    last_error = reason;
    return error;
  }
  *timer = made;
  return 0;
}

PAWL_TIMER_EXPORT void pawl_timer_destroy(pawl_timer *timer) {
  if (timer == nullptr) return;
  // Nothing can be done about a failure here, and after a lost device every call fails.
  if (timer->start != nullptr) cudaEventDestroy(timer->start);
  if (timer->stop != nullptr) cudaEventDestroy(timer->stop);
  cudaFree(timer->stamps);
  cudaFreeHost(timer->host_stamps);
  cudaFreeHost(timer->gate);
  cudaGetLastError();
  delete timer;
}

PAWL_TIMER_EXPORT int pawl_timer_touch(pawl_timer *timer, void *stream, const pawl_span *spans, int32_t count) {
  for (int32_t first = 0; first < count; first += MOST_SPANS) {
    Spans some{};
    const int32_t here = std::min<int32_t>(count - first, MOST_SPANS);
    std::copy(spans + first, spans + first + here, some.spans);
    touch_pages<<<timer->sm_count, 32, 0, static_cast<cudaStream_t>(stream)>>>(some, here);
    TRY(cudaGetLastError());
  }
  return 0;
}

PAWL_TIMER_EXPORT int pawl_timer_begin(pawl_timer *timer, void *stream, int flags) {
  const auto on = static_cast<cudaStream_t>(stream);
  ++timer->generation;
  timer->blocked = (flags & PAWL_TIMER_BLOCK) != 0;
  timer->watched = (flags & PAWL_TIMER_WATCH) != 0;
  timer->rests = (flags & PAWL_TIMER_REST) != 0;
  stamp_clocks<<<timer->sm_count, 32, 0, on>>>(timer->stamps, nullptr, timer->generation);
  TRY(cudaGetLastError());
  if (timer->blocked) {
    hold_stream<<<1, 1, 0, on>>>(timer->device_gate, timer->generation);
    TRY(cudaGetLastError());
  } else {
    // Without the hold, launch latency is inside: all of it.
    TRY(cudaStreamSynchronize(on));
  }
  TRY(cudaEventRecord(timer->start, on));
  return 0;
}

PAWL_TIMER_EXPORT int pawl_timer_end(pawl_timer *timer, void *stream, pawl_timing *timing) {
  const auto on = static_cast<cudaStream_t>(stream);
  *timing = pawl_timing{};
  const auto queue_stamps = [&]() -> int {
    stamp_clocks<<<timer->sm_count, 32, 0, on>>>(timer->stamps + SLOTS, timer->stamps, timer->generation);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(timer->host_stamps, timer->stamps, 2 * SLOTS * sizeof(Stamp), cudaMemcpyDeviceToHost, on));
    return 0;
  };
  const auto queue_end = [&]() -> int {
    TRY(cudaEventRecord(timer->stop, on));
    // A watched interval is followed by nothing of ours, so that what keeps the device busy is the kernel's.
    return timer->watched ? 0 : queue_stamps();
  };
  const int queued = queue_end();
  // Whatever failed, the stream must not stay held.
  __atomic_store_n(const_cast<unsigned long long *>(&timer->gate->released), timer->generation, __ATOMIC_SEQ_CST);
  if (queued != 0) return queued;
  if (timer->watched) {
    TRY(cudaEventSynchronize(timer->stop));
    if (timer->rests) std::this_thread::sleep_for(REST);
    const auto looked = HostClock::now();
    TRY(cudaDeviceSynchronize());
    timer->busy_after_ms = milliseconds_between(looked, HostClock::now());
    if (const int stamped = queue_stamps()) return stamped;
  }
  TRY(cudaStreamSynchronize(on));
  float ms = 0;
  TRY(cudaEventElapsedTime(&ms, timer->start, timer->stop));
  timing->ms = static_cast<double>(ms);
  timing->clock_mhz = clock_mhz(timer);
  timing->timed_out = timer->blocked && timer->gate->gave_up == timer->generation ? 1 : 0;
  return 0;
}

PAWL_TIMER_EXPORT double pawl_timer_busy_after_ms(const pawl_timer *timer) { return timer->busy_after_ms; }

PAWL_TIMER_EXPORT int pawl_timer_reset_l2(pawl_timer *timer) {
  int persisting_bytes = 0;
  TRY(cudaDeviceGetAttribute(&persisting_bytes, cudaDevAttrMaxPersistingL2CacheSize, timer->device));
  if (persisting_bytes == 0) return 0;
  // Refused under MIG and MPS, where a window cannot be set either.
  if (cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0) != cudaSuccess) cudaGetLastError();
  if (cudaCtxResetPersistingL2Cache() != cudaSuccess) cudaGetLastError();
  return 0;
}

PAWL_TIMER_EXPORT const char *pawl_timer_error(void) { return last_error.c_str(); }
