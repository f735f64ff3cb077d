// Runs CUDA kernels on the host, so that their indexing and synchronisation are tested where there is no GPU.
// Every CUDA thread is a fiber; blocks run one after the other. A stand-in for CUDA's own cuda_runtime.h: a
// kernel is compiled as C++ with this folder in front, and with `-include` of one of the instruction headers
// beside this file, which take the place of the kernel's inline assembly.
#ifndef PAWL_EMULATOR_CUDA_RUNTIME_H
#define PAWL_EMULATOR_CUDA_RUNTIME_H

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __shared__
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __grid_constant__

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct uint4 {
  uint32_t x, y, z, w;
};

typedef int cudaError_t;
typedef void *cudaStream_t;
enum {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaDevAttrMultiProcessorCount = 16
};
enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization = 6 };
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  struct {
    int programmaticStreamSerializationAllowed;
  } val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes = 0;
  cudaStream_t stream = nullptr;
  cudaLaunchAttribute *attrs = nullptr;
  unsigned numAttrs = 0;
};

using std::max;
using std::min;

// What an H100's block may have.
constexpr int EMULATED_SHARED_BYTES = 232448;
alignas(1024) static unsigned char attention_memory[EMULATED_SHARED_BYTES];

inline dim3 blockIdx, gridDim, blockDim;

// Blocks run one after the other, and their threads in turn.
inline unsigned atomicInc(unsigned *at, unsigned last) {
  const unsigned before = *at;
  *at = before >= last ? 0 : before + 1;
  return before;
}

namespace emulator {

// Threads that meet: the last to arrive does what there is to do, then all go on.
struct Meeting {
  unsigned arrived = 0, round = 0;
  const void *arguments[1024];
};

struct Fiber {
  ucontext_t context;  // where it starts
  jmp_buf place;       // where it goes on: unlike swapcontext, a jump asks the system for nothing
  bool started = false;
  std::unique_ptr<char[]> stack;
  unsigned thread = 0;
  bool done = false;
  // What it waits for, if for anything: to ask costs less than to switch to it.
  bool (*may_go_on)(void *condition) = nullptr;
  void *condition = nullptr;
};

inline std::vector<Fiber> fibers;
inline Fiber *current;
inline jmp_buf scheduler;
inline unsigned long progress;  // grows whenever some thread can go on that could not before
inline std::vector<Meeting> warps;
inline std::map<int, Meeting> barriers;
inline std::function<void()> body;
inline uint64_t order = 1;
inline std::deque<std::function<void()>> copies;  // of the copy engine, under way

inline void fail(const char *why) {
  fprintf(stderr, "emulator: %s (block %u, thread %u)\n", why, blockIdx.x, current ? current->thread : 0);
  exit(3);
}

// `noipa`: other fibers read and write meanwhile, and a compiler that looked into these would not see that.
[[gnu::noipa]] inline void yield() {
  if (_setjmp(current->place) == 0) _longjmp(scheduler, 1);
}

[[gnu::noipa]] inline void switch_to(Fiber &fiber) {
  if (_setjmp(scheduler) != 0) return;
  if (fiber.started) _longjmp(fiber.place, 1);
  fiber.started = true;
  setcontext(&fiber.context);
}

template <typename Condition>
void wait_until(Condition condition) {
  if (condition()) return;
  current->may_go_on = [](void *given) { return (*static_cast<Condition *>(given))(); };
  current->condition = &condition;
  yield();
  current->may_go_on = nullptr;
}

template <typename Action>
void meet(Meeting &meeting, unsigned place, unsigned size, const void *argument, Action action) {
  const unsigned round = meeting.round;
  meeting.arguments[place] = argument;
  if (++meeting.arrived == size) {
    action(meeting.arguments);
    meeting.arrived = 0;
    meeting.round++;
    progress++;
  } else {
    wait_until([&] { return meeting.round != round; });
  }
}

// All 32 threads of a warp hand in an argument; `action` gets the array of them.
template <typename Argument, typename Action>
void with_warp(Argument &argument, Action action) {
  meet(warps[current->thread / 32], current->thread % 32, 32, &argument, [&](const void **arguments) {
    action(reinterpret_cast<Argument **>(const_cast<void **>(arguments)));
  });
}

inline void barrier(int id, unsigned threads) {
  Meeting &meeting = barriers[id];
  meet(meeting, meeting.arrived, threads, nullptr, [](const void **) {});
}

inline void enter() {
  body();
  current->done = true;
  progress++;
  yield();
}

inline void run_block() {
  fibers = std::vector<Fiber>(blockDim.x);
  warps.assign(blockDim.x / 32, {});
  barriers.clear();
  memset(attention_memory, 0xFF, sizeof attention_memory);  // NaN: nothing may rely on what was there
  constexpr size_t STACK_BYTES = 1 << 16;
  for (unsigned i = 0; i < blockDim.x; i++) {
    Fiber &fiber = fibers[i];
    fiber.thread = i;
    fiber.stack.reset(new char[STACK_BYTES]);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = STACK_BYTES;
    fiber.context.uc_link = nullptr;  // `enter` does not return
    makecontext(&fiber.context, enter, 0);
  }
  for (bool running = true; running;) {
    const unsigned long before = progress;
    running = false;
    for (Fiber &fiber : fibers) {
      if (fiber.done) continue;
      running = true;
      current = &fiber;
      if (fiber.may_go_on != nullptr && !fiber.may_go_on(fiber.condition)) continue;
      switch_to(fiber);
    }
    if (running && progress == before) {
      if (copies.empty()) fail("deadlock: every thread waits");
      // Copies finish in any order: a linear congruential generator (Knuth's MMIX constants) picks one.
      order = order * 6364136223846793005u + 1442695040888963407u;
      const auto next = copies.begin() + static_cast<long>((order >> 33) % copies.size());
      const auto copy = *next;
      copies.erase(next);
      copy();
    }
  }
}

}  // namespace emulator

#define threadIdx (dim3(emulator::current->thread, 0, 0))

inline void __syncthreads() { emulator::barrier(0, blockDim.x); }
inline void __syncwarp() {
  int nothing = 0;
  emulator::with_warp(nothing, [](int **) {});
}

template <typename Kernel>
cudaError_t cudaFuncSetAttribute(Kernel, int, int bytes) {
  return bytes <= EMULATED_SHARED_BYTES ? cudaSuccess : cudaErrorInvalidValue;
}
inline cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
// Few, so that persistent blocks take several tiles each: PAWL_EMULATOR_PROCESSORS, or two.
inline cudaError_t cudaDeviceGetAttribute(int *value, int, int) {
  const char *processors = getenv("PAWL_EMULATOR_PROCESSORS");
  *value = processors ? atoi(processors) : 2;
  return cudaSuccess;
}
template <typename Symbol>
cudaError_t cudaGetSymbolAddress(void **address, Symbol &symbol) {
  *address = &symbol;
  return cudaSuccess;
}
inline const char *cudaGetErrorString(cudaError_t) { return "an emulated CUDA error"; }

namespace emulator {

struct Launch {
  dim3 grid, block;
  std::function<void()> body;
  void run_block(unsigned x) const {
    gridDim = grid;
    blockDim = block;
    blockIdx = dim3(x, 0, 0);
    emulator::body = body;
    emulator::run_block();
  }
};
inline std::vector<Launch> *captured;  // where launches go, as into a graph; null: they run at once

}  // namespace emulator

template <typename... Parameters, typename... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                               Arguments... arguments) {
  const emulator::Launch launch = {config->gridDim, config->blockDim, [=] { kernel(arguments...); }};
  if (emulator::captured != nullptr)
    emulator::captured->push_back(launch);
  else
    for (unsigned x = 0; x < launch.grid.x; x++) launch.run_block(x);
  return cudaSuccess;
}

#endif
