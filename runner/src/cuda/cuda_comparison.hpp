#pragma once

#include <cuda_runtime.h>

#include "../device.hpp"

namespace pawl {

/** The device's halves of comparing and writing; the element functions are those of the CPU. */
class CudaComparison {
 public:
  explicit CudaComparison(cudaStream_t stream);
  ~CudaComparison();
  CudaComparison(const CudaComparison &) = delete;
  CudaComparison &operator=(const CudaComparison &) = delete;

  void widen(void *wide, pawl_dtype wide_dtype, const void *data, pawl_dtype dtype, std::size_t count);
  void write(const Written &written, const Answer &answer);
  Compared compare(const Comparison &comparison);
  Difference difference(const TwoRuns &runs);
  Description describe(const Described &described);

 private:
  cudaStream_t stream_;
  /** What blocks come to, how errors are spread, and powers of ten. */
  void *parts_ = nullptr;
  unsigned long long *counts_ = nullptr;
  double *powers_ = nullptr;
};

}  // namespace pawl
