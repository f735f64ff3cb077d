/*
 * The rate of dense f16 products with f32 sums on the tensor cores, fed from shared memory and registers: nothing
 * but the matrix units can be what limits it. Hopper's own instruction (wgmma) where the code is built for sm_90a,
 * mma.sync elsewhere.
 */
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "pawl_kernel.h"

namespace {

constexpr int THREADS = 256;
/** Operations of one tile of the work, for one block, on every path. */
constexpr int TILE_OPERATIONS = 1 << 24;

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

constexpr int K_STEPS = 4;
constexpr int A_BYTES = 64 * 128;
constexpr int B_BYTES = 256 * 128;
constexpr int WARPGROUPS = THREADS / 128;
constexpr int PRODUCTS = TILE_OPERATIONS / WARPGROUPS / (2 * 64 * 256 * 16);

/**
 * Where an operand lies (PTX ISA, "Matrix descriptor"): rows of 128 bytes along K, eight of them 1,024 bytes apart
 * from the next eight, 128-byte swizzle. The leading offset is not used in that layout.
 */
__device__ std::uint64_t descriptor(const unsigned char *tile) {
  const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(tile));
  return (address & 0x3FFFF) >> 4 | std::uint64_t{1} << 16 | std::uint64_t{1024 >> 4} << 32 | std::uint64_t{1} << 62;
}

__device__ __forceinline__ void multiply(float (&d)[128], std::uint64_t a, std::uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
      "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
      "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
      "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
      "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
      "%128, %129, 1, 1, 1, 0, 0;\n"
      :
        "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
        "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
        "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
        "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
        "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
        "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]),
        "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]),
        "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]),
        "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]),
        "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]),
        "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
        "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]),
        "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]), "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]),
        "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
      : "l"(a), "l"(b));
}

__global__ void __launch_bounds__(THREADS, 1) matrix(const __half *x, int inputs, float *y, int outputs,
                                                     std::int64_t tiles) {
  __shared__ alignas(1024) unsigned char shared[WARPGROUPS * A_BYTES + B_BYTES];
  auto *values = reinterpret_cast<__half *>(shared);
  for (int i = threadIdx.x; i < static_cast<int>(sizeof(shared) / sizeof(__half)); i += THREADS)
    values[i] = x[i % inputs];
  // wgmma reads shared memory by another path than the stores above took.
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();

  const std::uint64_t a = descriptor(shared + threadIdx.x / 128 * A_BYTES);
  const std::uint64_t b = descriptor(shared + WARPGROUPS * A_BYTES);
  float d[128];
#pragma unroll
  for (int i = 0; i < 128; ++i) d[i] = 0;
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int product = 0; product < PRODUCTS; ++product) {
      // The next sixteen along K are 32 bytes further.
      const auto along = static_cast<std::uint64_t>(product % K_STEPS * (32 >> 4));
      multiply(d, a + along, b + along);
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  float total = 0;
#pragma unroll
  for (int i = 0; i < 128; ++i) total += d[i];
  y[(blockIdx.x * THREADS + threadIdx.x) % outputs] = total;
}

#else

constexpr int SUMS = 8;

__device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#elif __CUDA_ARCH__ >= 750
  for (int half = 0; half < 2; ++half)
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[2 * half]), "r"(a[2 * half + 1]), "r"(b[half]));
#endif
}

__global__ void __launch_bounds__(THREADS) matrix(const __half *x, int inputs, float *y, int outputs,
                                                  std::int64_t tiles) {
  constexpr int WARPS = THREADS / 32;
  constexpr int STEPS = TILE_OPERATIONS / WARPS / (2 * 16 * 8 * 16) / SUMS;
  const auto *pairs = reinterpret_cast<const unsigned *>(x);
  unsigned a[4], b[SUMS][2];
  for (int i = 0; i < 4; ++i) a[i] = pairs[(threadIdx.x * 4 + i) % (inputs / 2)];
  for (int sum = 0; sum < SUMS; ++sum)
    for (int i = 0; i < 2; ++i) b[sum][i] = pairs[(threadIdx.x * 2 + 64 * sum + i) % (inputs / 2)];
  float d[SUMS][4] = {};
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
#pragma unroll 4
    for (int step = 0; step < STEPS; ++step) {
#pragma unroll
      for (int sum = 0; sum < SUMS; ++sum) multiply(d[sum], a, b[sum]);
    }
  }
  float total = 0;
  for (int sum = 0; sum < SUMS; ++sum)
    for (int i = 0; i < 4; ++i) total += d[sum][i];
  y[(blockIdx.x * THREADS + threadIdx.x) % outputs] = total;
}

#endif

/** Tensor cores with f16 in and f32 out, as used here, begin with compute capability 7.5. */
constexpr int FIRST_CAPABILITY = 75;
constexpr int TOO_OLD = -1;

}  // namespace

/* dims: TILES; x: f16, an even number of elements; y: f32. Operations: 2^24 × TILES. */
PAWL_EXPORT int pawl_run(const pawl_call *call) {
  int device = 0, multiprocessors = 0, major = 0, minor = 0, blocks = 0;
  cudaError_t error = cudaGetDevice(&device);
  const auto ask = [&](int *value, cudaDeviceAttr attribute) {
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(value, attribute, device);
  };
  ask(&multiprocessors, cudaDevAttrMultiProcessorCount);
  ask(&major, cudaDevAttrComputeCapabilityMajor);
  ask(&minor, cudaDevAttrComputeCapabilityMinor);
  if (error == cudaSuccess) error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, matrix, THREADS, 0);
  if (error != cudaSuccess) return static_cast<int>(error);
  if (10 * major + minor < FIRST_CAPABILITY) return TOO_OLD;
  const pawl_tensor &x = call->tensors[0], &y = call->tensors[1];
  matrix<<<multiprocessors * blocks, THREADS, 0, static_cast<cudaStream_t>(call->stream)>>>(
      static_cast<const __half *>(x.data), static_cast<int>(x.shape[0]), static_cast<float *>(y.data),
      static_cast<int>(y.shape[0]), call->dims[0].value);
  return static_cast<int>(cudaGetLastError());
}

PAWL_EXPORT const char *pawl_error_text(int code) {
  return code == TOO_OLD ? "the device has no tensor cores for f16 products with f32 sums"
                         : cudaGetErrorString(static_cast<cudaError_t>(code));
}
