#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>

#include "../candidate/kernel.hpp"

namespace pawl {

/** What calls of a kernel put on their stream, or why that cannot be said. */
class CapturedCalls {
 public:
  CapturedCalls(Kernel &kernel, std::size_t set, std::int64_t calls, cudaStream_t stream);
  CapturedCalls(const CapturedCalls &) = delete;
  CapturedCalls &operator=(const CapturedCalls &) = delete;
  ~CapturedCalls();

  /** Null when the calls could not be captured. */
  cudaGraph_t graph() const { return graph_; }
  /** Empty when they could. */
  const std::string &reason() const { return reason_; }

 private:
  cudaGraph_t graph_ = nullptr;
  std::string reason_;
};

/** Launches of a kernel captured once into a CUDA graph; one replay runs them all. */
class GraphReplay {
 public:
  /** Throws `unsupported` with the reason when the kernel cannot be captured. */
  GraphReplay(Kernel &kernel, std::size_t set, std::int64_t batch, cudaStream_t stream);
  GraphReplay(const GraphReplay &) = delete;
  GraphReplay &operator=(const GraphReplay &) = delete;
  ~GraphReplay();

  cudaError_t launch(cudaStream_t stream) const { return cudaGraphLaunch(graph_, stream); }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

}  // namespace pawl
