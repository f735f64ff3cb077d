/** What every planted kernel needs to run: filled buffers, and three launches of which ncu looks at the second. */
#pragma once

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                        \
  do {                                                                     \
    const cudaError_t status = (call);                                     \
    if (status != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status)); \
      std::exit(70);                                                       \
    }                                                                      \
  } while (false)

constexpr int kBlocks = 132 * 8;
constexpr int kThreads = 256;
constexpr int kAll = kBlocks * kThreads;

namespace harness {

__device__ inline unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

template <class T>
__global__ void fill(T* out, size_t count, unsigned limit) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x) {
    const unsigned random = mix(static_cast<unsigned>(i));
    out[i] = limit == 0 ? static_cast<T>((random & 0xffff) * 1.52587890625e-5f) : static_cast<T>(random % limit);
  }
}

/** Random numbers in [0, 1), or whole ones below `limit`. */
template <class T = float>
T* buffer(size_t count, unsigned limit = 0) {
  T* data = nullptr;
  CHECK(cudaMalloc(&data, count * sizeof(T)));
  fill<<<264, 256>>>(data, count, limit);
  CHECK(cudaGetLastError());
  return data;
}

template <class Launch>
int run(Launch launch) {
  for (int i = 0; i < 3; ++i) {
    launch();
    CHECK(cudaGetLastError());
  }
  CHECK(cudaDeviceSynchronize());
  return 0;
}

}  // namespace harness

using harness::buffer;
using harness::run;
