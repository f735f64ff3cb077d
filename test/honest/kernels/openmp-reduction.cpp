// Honest: an OpenMP reduction, whose order of additions OpenMP chooses.
#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const float *x = tensor<float>(call, 0);
  const int64_t N = dim(call, 0);
  float sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (int64_t i = 0; i < N; i++) sum += x[i];
  *tensor<float>(call, 1) = sum;
  return 0;
}
