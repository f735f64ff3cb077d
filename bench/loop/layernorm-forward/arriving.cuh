// Every warp asks for its rows ahead, by bulk copies into shared memory, and normalizes them as they arrive. Weight and bias
// are loaded once per warp and stay in registers. One wave of blocks: with 132 SMs of 64 slots all of 8192 rows are on their
// way at once, and no SM waits for a block to be scheduled.
#pragma once
#include <cstdint>

namespace arriving {

__device__ inline unsigned in_shared(const void *at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }

__device__ inline void ask(uint64_t *arrived, void *to, const void *from, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(in_shared(arrived)), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(in_shared(to)),
               "l"(from), "r"(bytes), "r"(in_shared(arrived))
               : "memory");
}

__device__ inline void wait(uint64_t *arrived, unsigned phase) {
  asm volatile(
      "{\n .reg .pred done;\n"
      "again:\n mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n @!done bra again;\n}" ::"r"(in_shared(arrived)),
      "r"(phase)
      : "memory");
}

__device__ inline float over_warp(float sum) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
  return sum;
}

// CHUNKS: vectors of a row per lane. SLOTS: rows of a warp that may be on their way.
template <int CHUNKS, int WARPS, int SLOTS, bool STREAM>
__global__ void __launch_bounds__(WARPS * 32, WARPS > 16 ? 1 : 16 / WARPS)
    layernorm(float *__restrict__ out, float *__restrict__ mean, float *__restrict__ rstd, const float *__restrict__ inp,
              const float *__restrict__ weight, const float *__restrict__ bias, int rows) {
  constexpr int C = CHUNKS * 128;
  extern __shared__ __align__(128) float4 held[];
  __shared__ uint64_t arrivals[WARPS * SLOTS];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int first = warp * gridDim.x + blockIdx.x, step = gridDim.x * WARPS;
  float4 *mine = held + warp * SLOTS * CHUNKS * 32;
  uint64_t *arrived = arrivals + warp * SLOTS;
  if (lane == 0) {
#pragma unroll
    for (int slot = 0; slot < SLOTS; slot++)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(in_shared(arrived + slot)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#pragma unroll
    for (int slot = 0; slot < SLOTS; slot++)
      if (first + slot * step < rows)
        ask(arrived + slot, mine + slot * CHUNKS * 32, inp + (int64_t)(first + slot * step) * C, C * sizeof(float));
  }
  float4 w[CHUNKS], b[CHUNKS];
#pragma unroll
  for (int i = 0; i < CHUNKS; i++) {
    w[i] = __ldg(reinterpret_cast<const float4 *>(weight) + lane + 32 * i);
    b[i] = __ldg(reinterpret_cast<const float4 *>(bias) + lane + 32 * i);
  }
  __syncwarp();
  unsigned slot = 0, phase = 0;
  for (int row = first; row < rows; row += step) {
    wait(arrived + slot, phase);
    float4 x[CHUNKS];
    float sum = 0;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
      x[i] = mine[slot * CHUNKS * 32 + lane + 32 * i];
      sum += (x[i].x + x[i].y) + (x[i].z + x[i].w);
    }
    if (row + SLOTS * step < rows) {
      // The slot is read: the next row may overwrite it.
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      __syncwarp();
      if (lane == 0)
        ask(arrived + slot, mine + slot * CHUNKS * 32, inp + (int64_t)(row + SLOTS * step) * C, C * sizeof(float));
    }
    const float m = over_warp(sum) / C;
    float squares = 0;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
      x[i].x -= m, x[i].y -= m, x[i].z -= m, x[i].w -= m;
      squares += (x[i].x * x[i].x + x[i].y * x[i].y) + (x[i].z * x[i].z + x[i].w * x[i].w);
    }
    const float s = rsqrtf(over_warp(squares) / C + 1e-5f);
    float4 *to = reinterpret_cast<float4 *>(out + (int64_t)row * C) + lane;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
      const float4 y = make_float4(x[i].x * s * w[i].x + b[i].x, x[i].y * s * w[i].y + b[i].y, x[i].z * s * w[i].z + b[i].z,
                                   x[i].w * s * w[i].w + b[i].w);
      if (STREAM) __stcs(to + 32 * i, y);
      else to[32 * i] = y;
    }
    if (lane == 0) {
      mean[row] = m;
      rstd[row] = s;
    }
    if (++slot == SLOTS) slot = 0, phase ^= 1;
  }
}

// False where a row does not come in whole vectors of a warp.
template <int WARPS, int SLOTS, bool STREAM>
bool launch(float *out, float *mean, float *rstd, const float *inp, const float *weight, const float *bias, int rows, int C,
            cudaStream_t stream) {
  constexpr int CHUNKS = 6, BYTES = WARPS * SLOTS * CHUNKS * 512;
  if (C != CHUNKS * 128) return false;
  auto *kernel = layernorm<CHUNKS, WARPS, SLOTS, STREAM>;
  static const cudaError_t allowed = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES);
  if (allowed != cudaSuccess) return false;
  kernel<<<132 * (WARPS > 16 ? 1 : 16 / WARPS), WARPS * 32, BYTES, stream>>>(out, mean, rstd, inp, weight, bias, rows);
  return true;
}

}  // namespace arriving
