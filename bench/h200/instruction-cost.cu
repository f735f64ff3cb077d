// What a warp instruction costs a scheduler that has four warps to choose from, in cycles:
//   nvcc -arch=sm_90 bench/h200/instruction-cost.cu -o cost && ./cost
#include <cstdio>
#include <cuda_fp16.h>
template <int KIND> __global__ void k(float *out, long long *cycles) {
  float x[8]; unsigned h[8];
  for (int i = 0; i < 8; i++) { x[i] = threadIdx.x * 1e-3f + i * 1e-2f; h[i] = 0x3c003c00u + threadIdx.x + i; }
  __syncthreads(); long long t0 = clock64();
  for (int r = 0; r < 512; r++) {
#pragma unroll
    for (int i = 0; i < 8; i++) {
      if (KIND == 0) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x[i]));
      if (KIND == 1) asm volatile("ex2.approx.f16x2 %0, %0;" : "+r"(h[i]));
      if (KIND == 2) asm volatile("max.f32 %0, %0, %1;" : "+f"(x[i]) : "f"(x[(i + 1) & 7]));
      if (KIND == 3) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[i]) : "f"(x[(i + 1) & 7]));
      if (KIND == 4) { unsigned u; asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(u) : "f"(x[i]), "f"(x[(i + 1) & 7])); h[i] ^= u; }
      if (KIND == 5) asm volatile("fma.rn.f16x2 %0, %0, %1, %1;" : "+r"(h[i]) : "r"(h[(i + 1) & 7]));
      if (KIND == 6) asm volatile("max.f16x2 %0, %0, %1;" : "+r"(h[i]) : "r"(h[(i + 1) & 7]));
      if (KIND == 7) asm volatile("add.f32 %0, %0, %1;" : "+f"(x[i]) : "f"(x[(i + 1) & 7]));
      if (KIND == 8) { asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x[i])); asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[(i+3)&7]) : "f"(x[(i + 1) & 7])); asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[(i+4)&7]) : "f"(x[(i + 2) & 7]));}
    }
  }
  long long t1 = clock64();
  float s = 0; for (int i = 0; i < 8; i++) s += x[i] + __uint_as_float(h[i]);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
  if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = t1 - t0;
}
template <int K> void go(const char *n, float *o, long long *c) { k<K><<<1, 512>>>(o, c); cudaDeviceSynchronize(); long long h; cudaMemcpy(&h, c, 8, cudaMemcpyDeviceToHost);
  printf("%-20s %.2f cycles a warp instruction and scheduler\n", n, double(h) / (512 * 8 * 4)); }
int main() { float *o; long long *c; cudaMalloc(&o, 1 << 20); cudaMalloc(&c, 8);
  go<0>("ex2.f32", o, c); go<1>("ex2.f16x2", o, c); go<2>("max.f32", o, c); go<3>("fma.f32", o, c); go<4>("cvt.f16x2.f32+xor", o, c); go<5>("fma.f16x2", o, c); go<6>("max.f16x2", o, c); go<7>("add.f32", o, c); go<8>("ex2+2fma", o, c); }
