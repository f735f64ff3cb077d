#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>

#include "../prepared_case.hpp"

namespace pawl {

/** What calls of a kernel put on their stream, or why that cannot be said. */
class CapturedCalls {
 public:
  CapturedCalls(PreparedCase &prepared, std::size_t set, std::int64_t calls, cudaStream_t stream);
  CapturedCalls(const CapturedCalls &) = delete;
  CapturedCalls &operator=(const CapturedCalls &) = delete;
  ~CapturedCalls();

  /** Null when the calls could not be captured. */
  cudaGraph_t graph() const { return graph_; }
  /** Empty when they could. */
  const std::string &reason() const { return reason_; }
  /** They went well and left nothing on the stream. */
  bool queued_nothing() const { return queued_nothing_; }

 private:
  cudaGraph_t graph_ = nullptr;
  std::string reason_;
  bool queued_nothing_ = false;
};

/** Launches of a kernel captured once into a CUDA graph; one replay runs them all. */
class GraphReplay {
 public:
  /** Throws `unsupported` with the reason when the kernel cannot be captured. */
  GraphReplay(PreparedCase &prepared, std::size_t set, std::int64_t batch, cudaStream_t stream);
  GraphReplay(const GraphReplay &) = delete;
  GraphReplay &operator=(const GraphReplay &) = delete;
  ~GraphReplay();

  std::int64_t batch() const { return batch_; }
  cudaError_t launch(cudaStream_t stream) const { return cudaGraphLaunch(graph_, stream); }

 private:
  std::int64_t batch_;
  cudaGraphExec_t graph_ = nullptr;
};

}  // namespace pawl
