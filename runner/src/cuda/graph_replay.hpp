#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "../prepared_case.hpp"

namespace pawl {

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
