// Honest: reads /proc/cpuinfo when it is loaded, to choose the length of its tile.
#include <algorithm>
#include <fstream>
#include <string>

#include "../tensors.hpp"

static const int64_t tile = [] {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.find("avx512f") != std::string::npos) return 16;
  return 8;
}();

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const int64_t M = dim(call, 0), N = dim(call, 1);
  for (int64_t i0 = 0; i0 < M; i0 += tile)
    for (int64_t j = 0; j < N; j++)
      for (int64_t i = i0; i < std::min(M, i0 + tile); i++)
        tensor<float>(call, 1)[j * M + i] = tensor<float>(call, 0)[i * N + j];
  return 0;
}
