#include "graph_replay.hpp"

#include "../error.hpp"
#include "cuda_error.hpp"

namespace pawl {
namespace {

[[noreturn]] void cannot_capture(const std::string &reason) {
  throw RunnerError("unsupported", "the kernel cannot be captured into a CUDA graph: " + reason);
}

}  // namespace

CapturedCalls::CapturedCalls(PreparedCase &prepared, std::size_t set, std::int64_t calls, cudaStream_t stream) {
  // Thread-local: calls that a capture forbids (synchronising, say) fail on this thread and nowhere else.
  PAWL_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  try {
    int status = 0;
    for (std::int64_t i = 0; i < calls && status == 0; ++i) status = prepared.run(set);
    if (status != 0) prepared.fail(status);
  } catch (const RunnerError &error) {
    reason_ = error.what();
  }
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph_);
  cudaGetLastError();
  if (reason_.empty() && ended != cudaSuccess) reason_ = cudaGetErrorString(ended);
  if (reason_.empty()) {
    std::size_t nodes = 0;
    queued_nothing_ = cudaGraphGetNodes(graph_, nullptr, &nodes) == cudaSuccess && nodes == 0;
    if (queued_nothing_) reason_ = "it queued no work on the stream it was given";
  }
  if (!reason_.empty() && graph_ != nullptr) {
    cudaGraphDestroy(graph_);
    graph_ = nullptr;
  }
}

CapturedCalls::~CapturedCalls() {
  if (graph_ != nullptr) cudaGraphDestroy(graph_);
}

GraphReplay::GraphReplay(PreparedCase &prepared, std::size_t set, std::int64_t batch, cudaStream_t stream)
    : batch_(batch) {
  const CapturedCalls captured(prepared, set, batch, stream);
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
