// Runs every version of one published kernel: once to warm up, and once between cudaProfilerStart and -Stop, where ncu
// looks. The published file is included as it is, under PUBLISHED; its own main is not called. One family per program:
//   nvcc -DFAMILY_softmax_forward -DPUBLISHED='"softmax_forward.cu"' -I llm.c/dev/cuda versions.cu
// Prints a line per launch, `family version`, in the order in which ncu numbers them.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#define main published_main
#include PUBLISHED
#undef main

namespace pairs {

void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("failed: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

template <typename Element>
__global__ void fill(Element *data, size_t count, float scale, float shift) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  unsigned bits = unsigned(i) * 2654435761u;
  bits = (bits ^ (bits >> 15)) * 2246822519u;
  bits ^= bits >> 13;
  data[i] = static_cast<Element>(shift + scale * (float(bits >> 8) / 8388608.0f - 1.0f));
}

// Never zeros: hardware does less with them.
template <typename Element>
Element *values(size_t count, float scale = 1, float shift = 0) {
  Element *data = nullptr;
  must(cudaMalloc(&data, count * sizeof(Element)));
  fill<<<unsigned((count + 255) / 256), 256>>>(data, count, scale, shift);
  must(cudaDeviceSynchronize());
  return data;
}

template <typename Call>
void version(int number, Call call) {
  call(number);
  must(cudaDeviceSynchronize());
  must(cudaProfilerStart());
  call(number);
  must(cudaDeviceSynchronize());
  must(cudaProfilerStop());
  std::printf("%s %d\n", FAMILY, number);
  std::fflush(stdout);
}

}  // namespace pairs

// Sizes are the authors', except where a version takes more than about 20 ms: fewer rows there.
int main() {
  using namespace pairs;
  const int B = 8, T = 1024, C = 768, V = 50257, block = 256;
  const size_t n = size_t(B) * T * C;
  (void)V, (void)n, (void)block;
#if defined(FAMILY_sgemm)
  const int size = 2048;
  float *a = values<float>(size * size), *b = values<float>(size * size), *c = values<float>(size * size);
  for (int number : {1, 2, 3, 4, 5, 6, 9, 10})
    version(number, [&](int which) { run_kernel(which, size, size, size, 0.5f, a, b, 3.0f, c, nullptr); });
#elif defined(FAMILY_layernorm_forward)
  float *out = values<float>(n), *mean = values<float>(B * T), *rstd = values<float>(B * T), *in = values<float>(n);
  float *weight = values<float>(C), *bias = values<float>(C);
  for (int number : {1, 3, 4, 5, 6})
    version(number, [&](int which) { layernorm_forward(which, out, mean, rstd, in, weight, bias, B, T, C, block); });
#elif defined(FAMILY_softmax_forward)
  const int rows = 1024;
  float *out = values<float>(size_t(rows) * V), *in = values<float>(size_t(rows) * V, 5);
  for (int number : {1, 2, 3, 4, 5, 6, 7, 8})
    version(number, [&](int which) { softmax_forward(which, out, in, rows, V, which == 3 ? 32 : block); });
#elif defined(FAMILY_adamw)
  const long count = 1048576;
  float *w = values<float>(count), *g = values<float>(count), *m = values<float>(count), *v = values<float>(count, 0.5f, 0.5f);
  for (int number : {1, 2}) version(number, [&](int which) { adamw(which, w, g, m, v, 10, count); });
#elif defined(FAMILY_gelu_forward)
  floatX *out = values<floatX>(n), *in = values<floatX>(n);
  for (int number : {1, 2}) version(number, [&](int which) { gelu_forward(which, out, in, B, T, C, block); });
#elif defined(FAMILY_gelu_backward)
  floatX *out = values<floatX>(n), *in = values<floatX>(n), *grad = values<floatX>(n);
  for (int number : {1, 2}) version(number, [&](int which) { gelu_backward(which, out, in, grad, B, T, C, block); });
#elif defined(FAMILY_residual_forward)
  floatX *out = values<floatX>(n), *one = values<floatX>(n), *two = values<floatX>(n);
  for (int number : {1, 2}) version(number, [&](int which) { residual_forward(which, out, one, two, int(n), block); });
#elif defined(FAMILY_fused_residual_forward)
  setup_main();  // how many multiprocessors there are
  floatX *sum = values<floatX>(n), *normed = values<floatX>(n), *mean = values<floatX>(B * T), *rstd = values<floatX>(B * T);
  floatX *one = values<floatX>(n), *two = values<floatX>(n), *weight = values<floatX>(C), *bias = values<floatX>(C);
  for (int number : {2, 3, 4, 5, 6})
    version(number, [&](int which) {
      fused_residual_forward(which, sum, normed, mean, rstd, one, two, weight, bias, B * T, C, block);
    });
#elif defined(FAMILY_encoder_forward)
  floatX *out = values<floatX>(n), *wte = values<floatX>(size_t(V) * C), *wpe = values<floatX>(T * C);
  int *tokens = values<int>(B * T, 20000, 25000);
  for (int number : {1, 2, 3})
    version(number, [&](int which) { encoder_forward(which, out, tokens, wte, wpe, B, T, C, block); });
#elif defined(FAMILY_classifier_fused)
  const int P = 50304;
  float *grads = values<float>(size_t(T) * P), *losses = values<float>(T), *logits = values<float>(size_t(T) * P, 5);
  float *outer = values<float>(T);
  int *targets = values<int>(T, 20000, 25000);
  for (int number : {1, 2, 3, 4, 5})
    version(number, [&](int which) { fused_classifier(which, grads, losses, logits, outer, targets, 1, T, V, P, block); });
#elif defined(FAMILY_global_norm)
  setup_main();
  const size_t count = size_t(C * 4 * C + C * C) * 2 * 12;
  floatX *in = values<floatX>(count);
  float *out = values<float>(1024);
  for (int number : {1, 2, 3}) version(number, [&](int which) { global_norm(which, out, in, count, block); });
#elif defined(FAMILY_trimat_forward)
  const int heads = 12;
  float *out = values<float>(size_t(B) * heads * T * T), *in = values<float>(3 * n);
  for (int number : {1, 2, 3, 4}) version(number, [&](int which) { trimul_gpu(which, out, in, B, T, C, heads); });
#else
#error "no such family"
#endif
}
