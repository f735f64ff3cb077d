// The product on tensor cores, in TF32. A number in TF32 has 11 bits; PARTS = 1 multiplies as it is, PARTS = 3 splits each
// number into what TF32 holds and the rest, and adds three products. Tensor cores cut their sums off instead of rounding
// them, which adds up over a long K; with APART they add eight products at a time, and the sums are kept in single
// precision outside of them. Then the error is that of single precision.
// Tiles of BM x BN, 16 deep, STAGES of them in shared memory ahead of their use; a warp computes 64 x 32.
#pragma once

#include <cstdint>

template <int BM, int BN, int STAGES> struct Tiles {
  // Rows are padded so that the eight rows and four columns of a fragment lie in 32 banks.
  static constexpr int left_pitch = 16 + 4, right_pitch = BN + 8;
  static constexpr int left = BM * left_pitch, right = 16 * right_pitch;
  static constexpr int bytes = STAGES * (left + right) * 4;
  static constexpr int threads = (BM / 64) * (BN / 32) * 32;
};

__device__ inline void copy16(float *to, const float *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from));
}

__device__ inline void multiply(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/** The same from zero. */
__device__ inline void begin_product(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};"
      : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(0.0f));
}

__device__ inline void split(float x, uint32_t &high, uint32_t &low) {
  high = __float_as_uint(x) & 0xffffe000u;
  low = __float_as_uint(x - __uint_as_float(high));
}

template <int BM, int BN, int STAGES, int PARTS, bool APART>
__global__ void __launch_bounds__(Tiles<BM, BN, STAGES>::threads, 2)
    product_on_tensor_cores(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K,
                            float alpha, float beta) {
  using T = Tiles<BM, BN, STAGES>;
  extern __shared__ __align__(16) float tiles[];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = lane / 4, turn = lane % 4;
  const int warp_row = warp / (BN / 32) * 64, warp_column = warp % (BN / 32) * 32;
  A += (int64_t)blockIdx.y * BM * K;
  B += (int64_t)blockIdx.x * BN;
  auto fetch = [&](int step) {
    float *left = tiles + step % STAGES * (T::left + T::right), *right = left + T::left;
    for (int i = threadIdx.x; i < BM * 4; i += T::threads)
      copy16(left + i / 4 * T::left_pitch + i % 4 * 4, A + (int64_t)(i / 4) * K + step * 16 + i % 4 * 4);
    for (int i = threadIdx.x; i < 4 * BN; i += T::threads)
      copy16(right + i / (BN / 4) * T::right_pitch + i % (BN / 4) * 4,
             B + (int64_t)(step * 16 + i / (BN / 4)) * N + i % (BN / 4) * 4);
  };
  float sums[4][4][4] = {};
  const int steps = K / 16;
  for (int step = 0; step < STAGES - 1; step++) {
    if (step < steps) fetch(step);
    asm volatile("cp.async.commit_group;");
  }
  for (int step = 0; step < steps; step++) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
    __syncthreads();
    if (step + STAGES - 1 < steps) fetch(step + STAGES - 1);
    asm volatile("cp.async.commit_group;");
    const float *left = tiles + step % STAGES * (T::left + T::right), *right = left + T::left;
#pragma unroll
    for (int k = 0; k < 16; k += 8) {
      uint32_t b_high[4][2], b_low[4][2];
#pragma unroll
      for (int n = 0; n < 4; n++)
#pragma unroll
        for (int i = 0; i < 2; i++)
          split(right[(k + turn + 4 * i) * T::right_pitch + warp_column + 8 * n + group], b_high[n][i], b_low[n][i]);
#pragma unroll
      for (int m = 0; m < 4; m++) {
        uint32_t a_high[4], a_low[4];
#pragma unroll
        for (int i = 0; i < 4; i++)
          split(left[(warp_row + 16 * m + group + i % 2 * 8) * T::left_pitch + k + turn + i / 2 * 4], a_high[i], a_low[i]);
        if constexpr (APART) {
          float apart[4][4];
#pragma unroll
          for (int n = 0; n < 4; n++) begin_product(apart[n], a_low, b_high[n]);
#pragma unroll
          for (int n = 0; n < 4; n++) multiply(apart[n], a_high, b_low[n]);
#pragma unroll
          for (int n = 0; n < 4; n++) multiply(apart[n], a_high, b_high[n]);
#pragma unroll
          for (int n = 0; n < 4; n++)
#pragma unroll
            for (int i = 0; i < 4; i++) sums[m][n][i] += apart[n][i];
          continue;
        }
        if constexpr (PARTS == 3) {
#pragma unroll
          for (int n = 0; n < 4; n++) multiply(sums[m][n], a_low, b_high[n]);
#pragma unroll
          for (int n = 0; n < 4; n++) multiply(sums[m][n], a_high, b_low[n]);
        }
#pragma unroll
        for (int n = 0; n < 4; n++) multiply(sums[m][n], a_high, b_high[n]);
      }
    }
  }
#pragma unroll
  for (int m = 0; m < 4; m++)
#pragma unroll
    for (int n = 0; n < 4; n++)
#pragma unroll
      for (int half = 0; half < 2; half++) {
        const int64_t row = (int64_t)blockIdx.y * BM + warp_row + 16 * m + group + 8 * half;
        const int64_t column = (int64_t)blockIdx.x * BN + warp_column + 8 * n + 2 * turn;
        float2 *at = reinterpret_cast<float2 *>(C + row * N + column);
        const float2 before = *at;
        *at = make_float2(alpha * sums[m][n][2 * half] + beta * before.x, alpha * sums[m][n][2 * half + 1] + beta * before.y);
      }
}

template <int BM, int BN, int STAGES, int PARTS, bool APART>
void sgemm_on_tensor_cores(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
  if (M % BM != 0 || N % BN != 0 || K % 16 != 0) return runSgemmWarptiling(M, N, K, alpha, A, B, beta, C);
  using T = Tiles<BM, BN, STAGES>;
  const auto kernel = product_on_tensor_cores<BM, BN, STAGES, PARTS, APART>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, T::bytes);
  kernel<<<dim3(N / BN, M / BM), T::threads, T::bytes>>>(A, B, C, N, K, alpha, beta);
}
