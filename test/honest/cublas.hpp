// The three functions of cuBLAS that a kernel here needs: its headers are not everywhere where nvcc is.
#pragma once

#include <cuda_runtime.h>

extern "C" {
int cublasCreate_v2(void **handle);
int cublasSetStream_v2(void *handle, cudaStream_t stream);
int cublasSgemm_v2(void *handle, int transpose_a, int transpose_b, int m, int n, int k, const float *alpha,
                   const float *a, int lda, const float *b, int ldb, const float *beta, float *c, int ldc);
}
