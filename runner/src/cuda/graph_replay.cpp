#include "graph_replay.hpp"

#include <dlfcn.h>

#include "../error.hpp"
#include "cuda_error.hpp"

namespace pawl {
namespace {

[[noreturn]] void cannot_capture(const std::string &reason) {
  throw RunnerError("unsupported", "the kernel cannot be captured into a CUDA graph: " + reason);
}

/** While it lives, launches on the default stream go to this one, where `default_stream.cpp` was loaded. */
class WithDefaultStream {
 public:
  explicit WithDefaultStream(cudaStream_t stream)
      : use_(reinterpret_cast<void (*)(void *)>(dlsym(RTLD_DEFAULT, "pawl_capture_default_stream"))) {
    if (use_ != nullptr) use_(stream);
  }
  ~WithDefaultStream() {
    if (use_ != nullptr) use_(nullptr);
  }
  WithDefaultStream(const WithDefaultStream &) = delete;
  WithDefaultStream &operator=(const WithDefaultStream &) = delete;

 private:
  void (*use_)(void *);
};

}  // namespace

CapturedCalls::CapturedCalls(Kernel &kernel, std::size_t set, std::int64_t calls, cudaStream_t stream) {
  kernel.use_stream(stream);
  // Thread-local: calls that a capture forbids (synchronising, say) fail on this thread and nowhere else.
  PAWL_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  try {
    const WithDefaultStream captured(stream);
    int status = 0;
    for (std::int64_t i = 0; i < calls && status == 0; ++i) status = kernel.run(set);
    if (status != 0) kernel.fail(status);
  } catch (const RunnerError &error) {
    reason_ = error.what();
  }
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph_);
  kernel.use_stream(nullptr);
  cudaGetLastError();
  if (reason_.empty() && ended != cudaSuccess) reason_ = cudaGetErrorString(ended);
  if (reason_.empty()) {
    std::size_t nodes = 0;
    if (cudaGraphGetNodes(graph_, nullptr, &nodes) == cudaSuccess && nodes == 0)
      reason_ = "it launches on another stream than the one it is given";
  }
  if (reason_.empty()) return;
  if (graph_ != nullptr) cudaGraphDestroy(graph_);
  graph_ = nullptr;
  // The kernel's own CUDA runtime may still hold the error of what a capture forbids; a call of no account takes it.
  try {
    kernel.run(set);
  } catch (const RunnerError &) {
    // What is wrong with it shows in the calls that count.
  }
  cudaDeviceSynchronize();
  cudaGetLastError();
}

CapturedCalls::~CapturedCalls() {
  if (graph_ != nullptr) cudaGraphDestroy(graph_);
}

GraphReplay::GraphReplay(Kernel &kernel, std::size_t set, std::int64_t batch, cudaStream_t stream) {
  const CapturedCalls captured(kernel, set, batch, stream);
  if (captured.graph() == nullptr) cannot_capture(captured.reason());
  if (const cudaError_t error = cudaGraphInstantiate(&graph_, captured.graph(), 0); error != cudaSuccess) {
    cudaGetLastError();
    cannot_capture(cudaGetErrorString(error));
  }
  PAWL_CUDA(cudaGraphUpload(graph_, stream));
  // The first replay of a graph pays for what later ones do not.
  PAWL_CUDA(launch(stream));
  PAWL_CUDA(cudaStreamSynchronize(stream));
}

GraphReplay::~GraphReplay() {
  if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
}

}  // namespace pawl
