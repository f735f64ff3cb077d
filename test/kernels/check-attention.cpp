// Runs a built attention kernel and the oracle through the kernel interface on host memory and prints how they
// compare, one line of JSON a case. For CPU kernels, and for CUDA kernels built for the emulator.
//
//   check-attention KERNEL.so ORACLE.so f32|f16 < CASES
//
// A case is a line `B H S D CAUSAL FILL SEED`; FILL is normal, huge (logits of about ±1000), masked (every
// score of the first half of the keys is -inf) or nan (every score of one key is NaN).
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "pawl_half.h"
#include "pawl_kernel.h"

namespace {

constexpr size_t GUARD_BYTES = 256;
constexpr unsigned char GUARD = 0xA5;

struct Buffer {
  unsigned char *block;
  size_t bytes;
  explicit Buffer(size_t size) : bytes(size) {
    block = static_cast<unsigned char *>(aligned_alloc(256, (size + 2 * GUARD_BYTES + 255) / 256 * 256));
    memset(block, GUARD, GUARD_BYTES);
    memset(data(), 0xFF, size);
    memset(data() + size, GUARD, GUARD_BYTES);
  }
  ~Buffer() { free(block); }
  Buffer(const Buffer &) = delete;
  unsigned char *data() const { return block + GUARD_BYTES; }
  bool guarded() const {
    for (size_t i = 0; i < GUARD_BYTES; i++)
      if (block[i] != GUARD || data()[bytes + i] != GUARD) return false;
    return true;
  }
};

template <typename Function>
Function symbol(const char *library, const char *name) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void *found = handle ? dlsym(handle, name) : nullptr;
  if (!found) {
    fprintf(stderr, "%s\n", dlerror());
    exit(2);
  }
  return reinterpret_cast<Function>(found);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  auto run = symbol<int (*)(const pawl_call *)>(argv[1], "pawl_run");
  auto oracle = symbol<int (*)(const pawl_call *)>(argv[2], "pawl_oracle");
  void *self = dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD);
  auto workspace_bytes = reinterpret_cast<size_t (*)(const pawl_call *)>(dlsym(self, "pawl_workspace_bytes"));
  const bool half = std::string(argv[3]) == "f16";

  long long b, h, s, d, causal;
  unsigned seed;
  char fill[16];
  while (scanf("%lld %lld %lld %lld %lld %15s %u", &b, &h, &s, &d, &causal, fill, &seed) == 7) {
    const size_t count = b * h * s * d;
    const bool huge = !strcmp(fill, "huge"), masked = !strcmp(fill, "masked"), nan = !strcmp(fill, "nan");
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<double> exact[4];
    const size_t size = count * (half ? 2 : 4);
    Buffer q(size), k(size), v(size), o(size);
    Buffer *buffers[] = {&q, &k, &v, &o};
    for (int t = 0; t < 3; t++) {
      exact[t].resize(count);
      for (size_t i = 0; i < count; i++) {
        float x = normal(random);
        if (huge && t < 2) x *= 32;
        if (masked && t == 0) x = std::fabs(x) + 0.5f;
        if (masked && t == 1 && static_cast<long long>(i / d % s) < s / 2) x = -INFINITY;
        if (nan && t == 1 && static_cast<long long>(i / d % s) == s / 2) x = NAN;
        if (half) {
          const pawl_half rounded = static_cast<pawl_half>(x);
          memcpy(buffers[t]->data() + 2 * i, &rounded, 2);
          exact[t][i] = static_cast<double>(rounded);
        } else {
          memcpy(buffers[t]->data() + 4 * i, &x, 4);
          exact[t][i] = x;
        }
      }
    }
    exact[3].assign(count, NAN);

    const int64_t shape[] = {b, h, s, d};
    const pawl_dim dims[] = {{"B", b}, {"H", h}, {"S", s}, {"D", d}, {"CAUSAL", causal}};
    const char *names[] = {"q", "k", "v", "o"};
    pawl_tensor tensors[4], exact_tensors[4];
    for (int t = 0; t < 4; t++) {
      tensors[t] = {names[t], buffers[t]->data(), shape, 4, half ? PAWL_F16 : PAWL_F32};
      exact_tensors[t] = {names[t], exact[t].data(), shape, 4, PAWL_F64};
    }
    pawl_call call{tensors, dims, 4, 5, nullptr, nullptr, 0, nullptr, 0, nullptr, 0};
    pawl_call exact_call{exact_tensors, dims, 4, 5, nullptr, nullptr, 0, nullptr, 0, nullptr, 0};
    Buffer workspace(workspace_bytes ? workspace_bytes(&call) : 0);
    call.workspace = workspace.data();
    call.workspace_bytes = workspace.bytes;

    const int status = run(&call);
    const int oracle_status = oracle(&exact_call);
    uint64_t digest = 14695981039346656037u;  // FNV-1a of the output's bytes
    for (size_t i = 0; i < count * (half ? 2 : 4); i++) digest = (digest ^ o.data()[i]) * 1099511628211u;
    long long mismatches = 0;
    double worst = 0, square_error = 0, square = 0;
    for (size_t i = 0; i < count; i++) {
      const double want = exact[3][i];
      double got;
      if (half) {
        pawl_half x;
        memcpy(&x, o.data() + 2 * i, 2);
        got = static_cast<double>(x);
      } else {
        float x;
        memcpy(&x, o.data() + 4 * i, 4);
        got = x;
      }
      if (std::isnan(want) || std::isnan(got)) {
        mismatches += std::isnan(want) != std::isnan(got);
        continue;
      }
      const double error = std::fabs(got - want);
      const double tolerance = half ? 2e-3 + 1e-3 * std::fabs(want) : 1e-5 + 1e-5 * std::fabs(want);
      mismatches += !(error <= tolerance * (huge ? 20 : 1));
      worst = error > worst ? error : worst;
      square_error += error * error;
      square += want * want;
    }
    const bool guarded = q.guarded() && k.guarded() && v.guarded() && o.guarded() && workspace.guarded();
    printf("{\"status\":%d,\"oracle\":%d,\"mismatches\":%lld,\"guarded\":%s,"
           "\"max_abs_err\":%.3g,\"rel_norm\":%.3g,\"digest\":\"%016llx\"}\n",
           status, oracle_status, mismatches, guarded ? "true" : "false", worst,
           square > 0 ? std::sqrt(square_error / square) : 0.0, static_cast<unsigned long long>(digest));
  }
  return 0;
}
