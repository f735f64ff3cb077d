// Honest: four histograms side by side, added at the end.
#include "../tensors.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  int32_t parts[4][256] = {};
  const int32_t *x = tensor<int32_t>(call, 0);
  for (int64_t i = 0; i < dim(call, 0); i++) parts[i % 4][x[i]]++;
  for (int v = 0; v < 256; v++)
    tensor<int32_t>(call, 1)[v] = parts[0][v] + parts[1][v] + parts[2][v] + parts[3][v];
  return 0;
}
