/**
 * Kernels with one known fault each, to try the rules of diagnosis on hardware. Build and profile one with
 *   nvcc -O3 -arch=sm_90a -o diagnosis-kernels bench/diagnosis-kernels.cu
 *   ncu --set full --clock-control none --launch-skip 1 --launch-count 1 -o atomics ./diagnosis-kernels atomic-contention
 *   ncu --import atomics.ncu-rep --csv --page raw --print-units base > atomics.raw.csv
 * The name of a kernel is the rule that must come first; docs/rules.md says why.
 */
#include <cuda_fp16.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                                   \
  do {                                                                                \
    const cudaError_t status = (call);                                                \
    if (status != cudaSuccess) {                                                      \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));            \
      std::exit(70);                                                                  \
    }                                                                                 \
  } while (false)

namespace {

constexpr size_t kFloats = size_t{1} << 27;

/** Every thread adds to one address. */
__global__ void atomic_contention(const float* in, float* out) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  atomicAdd(out, in[i]);
}

/** Each lane of a warp takes one of sixteen ways. */
__global__ void divergence(float* out, int rounds) {
  float x = threadIdx.x * 0.001f;
  for (int r = 0; r < rounds; ++r) {
    switch (threadIdx.x % 16) {
#define WAY(n) \
  case n:      \
    for (int k = 0; k < 32; ++k) x = fmaf(x, 1.0f + n * 1e-6f, 0.5f * n); \
    break;
      WAY(0) WAY(1) WAY(2) WAY(3) WAY(4) WAY(5) WAY(6) WAY(7)
      WAY(8) WAY(9) WAY(10) WAY(11) WAY(12) WAY(13) WAY(14) WAY(15)
#undef WAY
    }
  }
  out[blockIdx.x * size_t{blockDim.x} + threadIdx.x] = x;
}

/** Literals without f: every step goes to double and back. */
__global__ void stray_fp64(float* out, int rounds) {
  float x = threadIdx.x * 0.001f;
  for (int r = 0; r < rounds; ++r) x = x * 1.0000001 + 0.5;
  out[blockIdx.x * size_t{blockDim.x} + threadIdx.x] = x;
}

/** Launched with blocks of 40 threads. */
__global__ void partial_warp(float* out, int rounds) {
  float x = threadIdx.x * 0.001f, y = x + 1, z = x + 2, w = x + 3;
  for (int r = 0; r < rounds; ++r) {
    x = fmaf(x, 0.999f, 0.1f);
    y = fmaf(y, 0.999f, 0.1f);
    z = fmaf(z, 0.999f, 0.1f);
    w = fmaf(w, 0.999f, 0.1f);
  }
  out[blockIdx.x * size_t{blockDim.x} + threadIdx.x] = x + y + z + w;
}

/** One block in sixteen does thirty times the work. */
__global__ void imbalance(float* out, int rounds) {
  float x = threadIdx.x * 0.001f;
  const int mine = blockIdx.x % 16 == 0 ? rounds * 30 : rounds;
  for (int r = 0; r < mine; ++r) x = fmaf(x, 0.999f, 0.1f);
  out[blockIdx.x * size_t{blockDim.x} + threadIdx.x] = x;
}

/** One warp works between two barriers, the others wait. */
__global__ void barrier_stall(float* out, int rounds) {
  __shared__ float shared[1024];
  shared[threadIdx.x] = threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
    __syncthreads();
    if (threadIdx.x < 32) {
      float x = shared[threadIdx.x];
      for (int k = 0; k < 16; ++k) x = fmaf(x, 0.999f, 0.1f);
      shared[threadIdx.x] = x;
    }
  }
  __syncthreads();
  out[blockIdx.x * size_t{blockDim.x} + threadIdx.x] = shared[threadIdx.x];
}

/** All blocks sweep an array half again as large as the L2, from different places. */
__global__ void l2_thrash(const float4* in, float4* out, size_t count, int rounds) {
  float4 sum = {};
  const size_t stride = size_t{gridDim.x} * blockDim.x;
  for (int r = 0; r < rounds; ++r) {
    const size_t first = r * size_t{253408} % count;
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += stride) {
      const size_t at = first + i;
      const float4 v = __ldcg(in + (at < count ? at : at - count));
      sum.x += v.x; sum.y += v.y; sum.z += v.z; sum.w += v.w;
    }
  }
  out[blockIdx.x * size_t{blockDim.x} + threadIdx.x] = sum;
}

__global__ void launch_bound(float* out) { out[threadIdx.x] += 1; }

/** Eight thousand different statements in a loop: more code than the instruction caches hold. */
template <int First>
__device__ __forceinline__ float chain(float x) {
#pragma unroll
  for (int k = First; k < First + 1000; ++k) x = fmaf(x, 1.0f + k * 1e-7f, 0.5f);
  return x;
}
__global__ void icache_miss(float* out, int rounds) {
  float x = threadIdx.x * 0.001f;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    // Warps start at different places, so that they do not share what was fetched.
    switch ((threadIdx.x / 32 + r) % 8) {
      case 0: x = chain<0>(x); break;
      case 1: x = chain<1000>(x); break;
      case 2: x = chain<2000>(x); break;
      case 3: x = chain<3000>(x); break;
      case 4: x = chain<4000>(x); break;
      case 5: x = chain<5000>(x); break;
      case 6: x = chain<6000>(x); break;
      default: x = chain<7000>(x); break;
    }
  }
  out[blockIdx.x * size_t{blockDim.x} + threadIdx.x] = x;
}

/** Ampere's matrix instruction on Hopper. */
__global__ void legacy_mma(float* out, int rounds) {
  unsigned a[4] = {threadIdx.x, 1, 2, 3}, b[2] = {4, 5};
  float c[8][4] = {};
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
          : "+f"(c[k][0]), "+f"(c[k][1]), "+f"(c[k][2]), "+f"(c[k][3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
  }
  float sum = 0;
  for (auto& row : c) for (const float v : row) sum += v;
  out[blockIdx.x * size_t{blockDim.x} + threadIdx.x] = sum;
}

/** Products and sums that the compiler may not fuse. */
__global__ void unfused_fp(float* out, int rounds) {
  float x[8];
  for (int k = 0; k < 8; ++k) x[k] = threadIdx.x * 0.001f + k;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int k = 0; k < 8; ++k) x[k] = __fadd_rn(__fmul_rn(x[k], 0.999f), 0.1f);
  }
  float sum = 0;
  for (const float v : x) sum += v;
  out[blockIdx.x * size_t{blockDim.x} + threadIdx.x] = sum;
}

/** Shared memory for one block of 128 threads on an SM, and nothing to hide its loads behind. */
__global__ void low_occupancy(const float* in, float* out) {
  extern __shared__ float held[];
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  held[threadIdx.x] = in[i];
  __syncwarp();
  out[i] = held[threadIdx.x] * 2;
}

struct Fault {
  const char* name;
  void (*launch)(float* in, float* out);
};

const Fault kFaults[] = {
    {"atomic-contention", [](float* in, float* out) { atomic_contention<<<16384, 256>>>(in, out); }},
    {"divergence", [](float*, float* out) { divergence<<<2112, 256>>>(out, 200); }},
    {"stray-fp64", [](float*, float* out) { stray_fp64<<<2112, 256>>>(out, 2000); }},
    {"partial-warp", [](float*, float* out) { partial_warp<<<26400, 40>>>(out, 2000); }},
    {"imbalance", [](float*, float* out) { imbalance<<<264, 256>>>(out, 20000); }},
    {"barrier-stall", [](float*, float* out) { barrier_stall<<<528, 512>>>(out, 1000); }},
    {"l2-thrash",
     [](float* in, float* out) {
       l2_thrash<<<1056, 256>>>(reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out), 6000000, 20);
     }},
    {"launch-bound", [](float*, float* out) { launch_bound<<<1, 64>>>(out); }},
    {"icache-miss", [](float*, float* out) { icache_miss<<<1056, 256>>>(out, 100); }},
    {"legacy-mma", [](float*, float* out) { legacy_mma<<<1056, 256>>>(out, 1000); }},
    {"unfused-fp", [](float*, float* out) { unfused_fp<<<2112, 256>>>(out, 2000); }},
    {"low-occupancy",
     [](float* in, float* out) {
       CHECK(cudaFuncSetAttribute(low_occupancy, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
       low_occupancy<<<262144, 128, 200 * 1024>>>(in, out);
     }},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Fault& fault : kFaults) {
    if (argc < 2) {
      std::puts(fault.name);
    } else if (std::strcmp(argv[1], fault.name) == 0) {
      float *in = nullptr, *out = nullptr;
      CHECK(cudaMalloc(&in, kFloats * sizeof(float)));
      CHECK(cudaMalloc(&out, kFloats * sizeof(float)));
      CHECK(cudaMemset(in, 1, kFloats * sizeof(float)));
      CHECK(cudaMemset(out, 0, kFloats * sizeof(float)));
      for (int launch = 0; launch < 2; ++launch) fault.launch(in, out);
      CHECK(cudaGetLastError());
      CHECK(cudaDeviceSynchronize());
      return 0;
    }
  }
  return argc < 2 ? 0 : 64;
}
