// Times an attention kernel by itself: hot, the median of many batches of 20 launches between two events; or cold, of
// single launches after the L2 was overwritten; with the energy of a launch by NVML, where its counter can be read.
// For quick looks at many variants in one call; figures that count come from `pawl bench`.
//   nvcc -std=c++20 -O3 -Irunner/include -Ikernels/attention/hopper -gencode arch=compute_90a,code=sm_90a \
//     -DKERNEL='"attention.cu"' -DBLOCK_M=256 … (all tunables) bench/h200/attention-harness.cu -o harness
//   ./harness REPEATS [B H S D CAUSAL [COLD]]     zeros instead of random numbers: ZEROS=1
#include KERNEL
#include <cstdio>
#include <vector>
#include <algorithm>
#include <cuda_fp16.h>
#include <dlfcn.h>

// Millijoules since the driver was loaded, or -1; counted every 20 to 100 ms.
static double energy_mj() {
  static void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  static void *device = nullptr;
  if (library == nullptr) return -1;
  const auto init = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
  const auto get = reinterpret_cast<int (*)(unsigned, void **)>(dlsym(library, "nvmlDeviceGetHandleByIndex_v2"));
  const auto read =
      reinterpret_cast<int (*)(void *, unsigned long long *)>(dlsym(library, "nvmlDeviceGetTotalEnergyConsumption"));
  if (!init || !get || !read || (device == nullptr && (init() || get(0, &device)))) return -1;
  unsigned long long mj = 0;
  return read(device, &mj) ? -1 : static_cast<double>(mj);
}

__global__ void fill(__half *p, size_t n, unsigned seed) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
    unsigned long long x = i * 0x9E3779B97F4A7C15ull + seed; x ^= x >> 30; x *= 0xBF58476D1CE4E5B9ull; x ^= x >> 27; x *= 0x94D049BB133111EBull; x ^= x >> 31;
    float u = ((x >> 40) + 1) * (1.0f / 16777217.0f), a = ((x & 0xFFFFFF)) * (6.2831853f / 16777216.0f);
    p[i] = __float2half(seed == 0 ? 0.0f : sqrtf(-2 * logf(u)) * cosf(a));
  }
}
int main(int argc, char **argv) {
  int64_t B = 32, H = 8, S = 512, DD = 64, C = 0;
  if (argc > 2) { B = atoi(argv[2]); H = atoi(argv[3]); S = atoi(argv[4]); DD = atoi(argv[5]); C = atoi(argv[6]); }
  size_t n = B * H * S * DD;
  __half *p[4];
  for (int i = 0; i < 4; i++) { cudaMalloc(&p[i], n * 2); fill<<<1024, 256>>>(p[i], n, getenv("ZEROS") ? 0 : 77 + i); }
  int64_t shape[4] = {B, H, S, DD};
  const char *names[] = {"q", "k", "v", "o"};
  pawl_tensor t[4];
  for (int i = 0; i < 4; i++) t[i] = {names[i], p[i], shape, 4, PAWL_F16};
  pawl_dim d[5] = {{"B", B}, {"H", H}, {"S", S}, {"D", DD}, {"CAUSAL", C}};
  cudaStream_t s; cudaStreamCreate(&s);
  pawl_call call = {t, d, 4, 5, s, nullptr, 0};
  int reps = argc > 1 ? atoi(argv[1]) : 30;
  int st = pawl_run(&call);
  cudaError_t e = cudaDeviceSynchronize();
  if (st || e) { printf("FAILED %d %s\n", st, cudaGetErrorString(e)); return 1; }
  if (reps == 0) return 0;
  cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
  const bool cold = argc > 7 && atoi(argv[7]);
  const int launches = cold ? 1 : 20;
  const size_t flush_bytes = size_t(512) << 20;
  void *flush = nullptr;
  if (cold) cudaMalloc(&flush, flush_bytes);
  std::vector<float> v;
  const double before_mj = energy_mj();
  for (int r = 0; r < reps + 5; r++) {
    if (cold) cudaMemsetAsync(flush, r, flush_bytes, s);
    cudaEventRecord(a, s);
    for (int i = 0; i < launches; i++) pawl_run(&call);
    cudaEventRecord(b, s); cudaEventSynchronize(b);
    float ms; cudaEventElapsedTime(&ms, a, b);
    if (r >= 5) v.push_back(ms * 1000 / launches);
  }
  const double per_launch_mj = before_mj < 0 ? -1 : (energy_mj() - before_mj) / ((reps + 5) * launches);
  std::sort(v.begin(), v.end());
  std::vector<__half> o(n); cudaMemcpy(o.data(), p[3], n * 2, cudaMemcpyDeviceToHost);
  double sum = 0, chk = 0; size_t ii = 0; for (auto x : o) { float f = __half2float(x); sum += f * f; chk += f * (double((ii * 2654435761u >> 7) % 97) - 48); ii++; }
  printf("%.2f us (min %.2f) rms %.5f chk %.3f  %.0f TFLOP/s  %.2f mJ\n", v[v.size() / 2], v[0], sqrt(sum / n), chk, (C ? 2.0 : 4.0) * B * H * S * S * DD / v[v.size() / 2] * 1e-6, per_launch_mj);
}
