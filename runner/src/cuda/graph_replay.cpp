#include "graph_replay.hpp"

#include <string>

#include "../error.hpp"
#include "cuda_error.hpp"

namespace pawl {
namespace {

[[noreturn]] void cannot_capture(const std::string &reason) {
  throw RunnerError("unsupported", "the kernel cannot be captured into a CUDA graph: " + reason);
}

/** Runs the kernel under capture; the caller owns the graph. */
cudaGraph_t capture(PreparedCase &prepared, std::size_t set, std::int64_t batch, cudaStream_t stream) {
  // Thread-local: calls that a capture forbids (synchronising, say) fail on this thread and nowhere else.
  PAWL_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  std::string reason;
  try {
    int status = 0;
    for (std::int64_t i = 0; i < batch && status == 0; ++i) status = prepared.run(set);
    if (status != 0) prepared.fail(status);
  } catch (const RunnerError &error) {
    reason = error.what();
  }
  cudaGraph_t graph = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  cudaGetLastError();
  if (reason.empty() && ended != cudaSuccess) reason = cudaGetErrorString(ended);
  if (reason.empty()) {
    std::size_t nodes = 0;
    if (cudaGraphGetNodes(graph, nullptr, &nodes) != cudaSuccess || nodes == 0)
      reason = "it queued no work on the stream it was given";
  }
  if (reason.empty()) return graph;
  if (graph != nullptr) cudaGraphDestroy(graph);
  cannot_capture(reason);
}

}  // namespace

GraphReplay::GraphReplay(PreparedCase &prepared, std::size_t set, std::int64_t batch, cudaStream_t stream)
    : batch_(batch) {
  cudaGraph_t graph = capture(prepared, set, batch, stream);
  const cudaError_t error = cudaGraphInstantiate(&graph_, graph, 0);
  cudaGraphDestroy(graph);
  if (error != cudaSuccess) {
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
