// What settings a try should start from: every kernel of cubins.py's manifest, the layer norms of layernorm-forward, and
// copies of the same bytes, in one program and a few seconds. `sweep FOLDER FILE` prints a table and writes FILE, which loop.sh
// files read (CHOSEN). It decides nothing: tries are judged by Pawl, which measures in processes of their own.
// Build: nvcc -O3 --use_fast_math -std=c++17 -gencode arch=compute_90,code=sm_90 -o sweep sweep.cu
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "../layernorm-forward/arriving.cuh"
#include "../layernorm-forward/at-once.cuh"

#define CHECKED(call)                                                                          \
  do {                                                                                         \
    const cudaError_t code = (call);                                                           \
    if (code != cudaSuccess) {                                                                 \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(code));       \
      std::exit(1);                                                                            \
    }                                                                                          \
  } while (0)

struct Variant {
  std::string name;
  std::function<bool(cudaStream_t)> run;
  bool is_copy = false;
  std::vector<double> times;
  double error = 0;
};

struct Problem {
  std::string name;
  size_t bytes;  // of the rows, read and written once each
  std::vector<Variant> variants;
  void *out, *right;
  size_t numbers;
  bool is_half;
};

// Pseudo-random numbers of about unit variance.
template <class T>
__global__ void fill(T *to, size_t n, unsigned seed) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
    unsigned long long x = (i + 1) * 0x9E3779B97F4A7C15ull + seed;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull, x = (x ^ (x >> 27)) * 0x94D049BB133111EBull, x ^= x >> 31;
    to[i] = T((float)((x & 0xffff) + ((x >> 16) & 0xffff) + ((x >> 32) & 0xffff)) / 65536.f * 2.f - 3.f);
  }
}

__device__ double over_block(double value, bool is_max) {
  __shared__ double parts[256];
  parts[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const double other = parts[threadIdx.x + half];
      parts[threadIdx.x] = is_max ? fmax(parts[threadIdx.x], other) : parts[threadIdx.x] + other;
    }
    __syncthreads();
  }
  const double all = parts[0];
  __syncthreads();
  return all;
}

__global__ void right_softmax(float *out, const float *in, int n) {
  in += blockIdx.x * (size_t)n, out += blockIdx.x * (size_t)n;
  double top = -1e30, sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) top = fmax(top, (double)in[i]);
  top = over_block(top, true);
  for (int i = threadIdx.x; i < n; i += 256) sum += exp(in[i] - top);
  sum = over_block(sum, false);
  for (int i = threadIdx.x; i < n; i += 256) out[i] = exp(in[i] - top) / sum;
}

template <class T>
__global__ void right_norm(T *out, const T *in, const T *w, const T *b, int n) {
  in += blockIdx.x * (size_t)n, out += blockIdx.x * (size_t)n;
  double sum = 0, squares = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += (double)(float)in[i];
  const double m = over_block(sum, false) / n;
  for (int i = threadIdx.x; i < n; i += 256) squares += ((double)(float)in[i] - m) * ((double)(float)in[i] - m);
  const double s = 1 / sqrt(over_block(squares, false) / n + 1e-5);
  for (int i = threadIdx.x; i < n; i += 256)
    out[i] = T((float)(((double)(float)in[i] - m) * s * (double)(float)w[i] + (double)(float)b[i]));
}

__global__ void right_gelu(float *out, const float *in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = in[i];
  out[i] = 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

template <class T>
__global__ void largest_difference(const T *a, const T *b, size_t n, unsigned *largest) {
  float most = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
    const float difference = fabsf((float)a[i] - (float)b[i]);
    most = difference <= most ? most : isnan(difference) ? INFINITY : difference;
  }
  atomicMax(largest, __float_as_uint(most));
}

// VECTORS per thread, a block's width apart; HINT: read and written once.
template <int VECTORS, bool HINT>
__global__ void copy(float4 *__restrict__ to, const float4 *__restrict__ from, size_t n) {
  const size_t first = blockIdx.x * (size_t)blockDim.x * VECTORS + threadIdx.x;
  float4 x[VECTORS];
#pragma unroll
  for (int i = 0; i < VECTORS; i++)
    if (first + i * blockDim.x < n) x[i] = HINT ? __ldcs(from + first + i * blockDim.x) : from[first + i * blockDim.x];
#pragma unroll
  for (int i = 0; i < VECTORS; i++)
    if (first + i * blockDim.x < n) {
      if (HINT) __stcs(to + first + i * blockDim.x, x[i]);
      else to[first + i * blockDim.x] = x[i];
    }
}

template <int VECTORS, bool HINT>
void add_copy(Problem &problem, void *to, const void *from, int threads) {
  const size_t n = problem.bytes / 32;
  problem.variants.push_back({"VECTORS=" + std::to_string(VECTORS) + ",THREADS=" + std::to_string(threads) +
                                  ",HINT=" + std::to_string(HINT),
                              [=](cudaStream_t s) {
                                const size_t each = (size_t)threads * VECTORS;
                                copy<VECTORS, HINT><<<(unsigned)((n + each - 1) / each), threads, 0, s>>>((float4 *)to, (const float4 *)from, n);
                                return true;
                              },
                              true});
}

void add_copies(Problem &problem, const void *from) {
  void *to = problem.out;
  const size_t bytes = problem.bytes / 2;
  problem.variants.push_back({"VECTORS=0,THREADS=256,HINT=0",
                              [=](cudaStream_t s) { return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, s) == cudaSuccess; },
                              true});
  for (int threads : {256, 512, 1024}) {
    add_copy<1, false>(problem, to, from, threads);
    add_copy<1, true>(problem, to, from, threads);
    add_copy<4, false>(problem, to, from, threads);
    add_copy<4, true>(problem, to, from, threads);
    add_copy<8, true>(problem, to, from, threads);
  }
}

double at(std::vector<double> sorted, double part) {
  std::sort(sorted.begin(), sorted.end());
  return sorted.empty() ? NAN : sorted[(size_t)(part * (sorted.size() - 1))];
}

int main(int, char **argv) {
  const std::string folder = argv[1], chosen_file = argv[2];
  cudaStream_t stream;
  CHECKED(cudaStreamCreate(&stream));
  auto memory = [](size_t bytes) {
    void *at;
    CHECKED(cudaMalloc(&at, bytes));
    return at;
  };
  auto floats = [&](size_t n, unsigned seed) {
    auto *at = (float *)memory(4 * n);
    fill<<<1024, 256>>>(at, n, seed);
    return at;
  };
  auto halves = [&](size_t n, unsigned seed) {
    auto *at = (__half *)memory(2 * n);
    fill<<<1024, 256>>>(at, n, seed);
    return at;
  };
  constexpr size_t FLUSH = 256 << 20;
  void *flush = memory(FLUSH), *unused = nullptr;
  unsigned *largest = (unsigned *)memory(4);
  int i8192 = 8192, i4096 = 4096, million = 1 << 20;
  float eps = 1e-5f;
  const size_t wide = 4096 * 8192, forward = 8192 * 768;

  std::vector<Problem> problems = {{"softmax", 8 * wide, {}, floats(wide, 9), floats(wide, 9), wide, false},
                                   {"layernorm", 4 * wide, {}, halves(wide, 9), halves(wide, 9), wide, true},
                                   {"gelu", 8u << 20, {}, floats(million, 9), floats(million, 9), 1 << 20, false},
                                   {"forward", 8 * forward, {}, floats(forward, 9), floats(forward, 9), forward, false}};
  Problem &softmax = problems[0], &norm = problems[1], &gelu = problems[2], &llm = problems[3];
  float *x = floats(wide, 1), *mean = floats(8192, 2), *rstd = floats(8192, 3), *w = floats(768, 4), *b = floats(768, 5);
  __half *hx = halves(wide, 1), *hw = halves(8192, 4), *hb = halves(8192, 5);
  right_softmax<<<4096, 256>>>((float *)softmax.right, x, 8192);
  right_norm<__half><<<4096, 256>>>((__half *)norm.right, hx, hw, hb, 8192);
  right_gelu<<<4096, 256>>>((float *)gelu.right, x, million);
  right_norm<float><<<8192, 256>>>((float *)llm.right, x, w, b, 768);
  CHECKED(cudaDeviceSynchronize());

  std::ifstream manifest(folder + "/manifest.txt");
  for (std::string line; std::getline(manifest, line);) {
    std::istringstream words(line);
    std::string problem, name, file, symbol;
    unsigned grid, threads, shared;
    words >> problem >> name >> file >> symbol >> grid >> threads >> shared;
    cudaLibrary_t library;
    cudaKernel_t kernel;
    CHECKED(cudaLibraryLoadFromFile(&library, (folder + "/" + file).c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECKED(cudaLibraryGetKernel(&kernel, library, symbol.c_str()));
    Problem &of = problem == "softmax" ? softmax : problem == "layernorm" ? norm : gelu;
    of.variants.push_back({name, [=, &of, &unused, &i8192, &i4096, &million, &eps](cudaStream_t s) {
                             void *out = of.out, *in = &of == &norm ? (void *)hx : (void *)x;
                             void *weights = (void *)hw, *biases = (void *)hb, *means = (void *)mean, *rstds = (void *)rstd;
                             std::vector<void *> arguments;
                             if (&of == &softmax && symbol == "row_softmax") arguments = {&out, &in, &i8192, &i8192, &i8192};
                             else if (&of == &softmax) arguments = {&out, &in, &i8192, &i8192, &i4096, &i8192};
                             else if (&of == &norm) arguments = {&in, &out, &weights, &biases, &means, &rstds, &i8192, &i4096, &i8192, &eps};
                             else arguments = {&in, &out, &million};
                             // Triton's own two places.
                             arguments.push_back(&unused), arguments.push_back(&unused);
                             return cudaLaunchKernel((const void *)kernel, dim3(grid), dim3(threads), arguments.data(), shared, s) == cudaSuccess;
                           }});
  }
  float *out = (float *)llm.out;
#define ADD_FORWARD(...) \
  llm.variants.push_back({#__VA_ARGS__, [=](cudaStream_t s) { return __VA_ARGS__(out, mean, rstd, x, w, b, 8192, 768, s); }});
  ADD_FORWARD(arriving::launch<16, 4, true>)
  ADD_FORWARD(arriving::launch<16, 4, false>)
  ADD_FORWARD(arriving::launch<16, 2, true>)
  ADD_FORWARD(arriving::launch<8, 4, true>)
  ADD_FORWARD(arriving::launch<8, 4, false>)
  ADD_FORWARD(arriving::launch<8, 2, true>)
  ADD_FORWARD(arriving::launch<4, 4, true>)
  ADD_FORWARD(arriving::launch<4, 4, false>)
  ADD_FORWARD(at_once::launch<2, 0>)
  ADD_FORWARD(at_once::launch<2, 1>)
  ADD_FORWARD(at_once::launch<2, 2>)
  ADD_FORWARD(at_once::launch<4, 0>)
  ADD_FORWARD(at_once::launch<4, 1>)
  ADD_FORWARD(at_once::launch<4, 2>)
  ADD_FORWARD(at_once::launch<8, 0>)
  ADD_FORWARD(at_once::launch<8, 1>)
  ADD_FORWARD(at_once::launch<16, 0>)
  ADD_FORWARD(at_once::launch<16, 1>)
  add_copies(softmax, x);
  add_copies(norm, hx);
  add_copies(gelu, x);
  add_copies(llm, x);

  cudaEvent_t starts[25], ends[25];
  for (int i = 0; i < 25; i++) {
    CHECKED(cudaEventCreate(starts + i));
    CHECKED(cudaEventCreate(ends + i));
  }
  for (Problem &problem : problems)
    for (Variant &variant : problem.variants) {
      if (variant.is_copy) continue;
      CHECKED(cudaMemsetAsync(problem.out, 0xff, problem.bytes / 2, stream));
      CHECKED(cudaMemsetAsync(largest, 0, 4, stream));
      if (!variant.run(stream)) variant.error = INFINITY;
      if (problem.is_half) largest_difference<<<1024, 256, 0, stream>>>((__half *)problem.out, (__half *)problem.right, problem.numbers, largest);
      else largest_difference<<<1024, 256, 0, stream>>>((float *)problem.out, (float *)problem.right, problem.numbers, largest);
      float difference;
      CHECKED(cudaMemcpyAsync(&difference, largest, 4, cudaMemcpyDeviceToHost, stream));
      CHECKED(cudaStreamSynchronize(stream));
      variant.error = std::max(variant.error, (double)difference);
    }
  unsigned char value = 0;
  for (int round = 0; round < 4; round++)
    for (Problem &problem : problems)
      for (Variant &variant : problem.variants) {
        // The memset before each call empties the L2, and takes longer than it takes to launch what follows.
        for (int i = 0; i < 25; i++) {
          CHECKED(cudaMemsetAsync(flush, ++value, FLUSH, stream));
          CHECKED(cudaEventRecord(starts[i], stream));
          variant.run(stream);
          CHECKED(cudaEventRecord(ends[i], stream));
        }
        CHECKED(cudaStreamSynchronize(stream));
        for (int i = 5; i < 25; i++) {
          float ms;
          CHECKED(cudaEventElapsedTime(&ms, starts[i], ends[i]));
          variant.times.push_back(1e3 * ms);
        }
      }

  std::ofstream chosen(chosen_file);
  for (Problem &problem : problems) {
    auto &all = problem.variants;
    std::sort(all.begin(), all.end(), [](const Variant &a, const Variant &b) { return at(a.times, .5) < at(b.times, .5); });
    std::printf("\n%s, %.1f MB\n", problem.name.c_str(), problem.bytes / 1e6);
    std::set<std::string> has;
    for (const Variant &variant : all) {
      const double median = at(variant.times, .5);
      std::printf("%9.2f us  %9.2f at 10 %%  %5.2f TB/s  off by %.1e  %s%s\n", median, at(variant.times, .1),
                  problem.bytes / median / 1e6, variant.error, variant.is_copy ? "copy " : "", variant.name.c_str());
      const bool is_right = variant.error < (problem.is_half ? 2e-2 : 1e-4);
      // The layer norm of llm.c has two ways, each tried by itself.
      const std::string way = variant.name.substr(0, variant.name.find("::"));
      const std::string key = variant.is_copy ? problem.name + "_copy" : &problem == &problems[3] ? way : problem.name;
      if (is_right && has.insert(key).second) chosen << key << "='" << variant.name << "'\n";
    }
  }
}
