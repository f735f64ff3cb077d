// Stands in for cuBLAS where published files are built whose own kernels alone are run: nothing here is ever called
// for a product. Files that need more of cuBLAS do not compile, and are not among the pairs.
#pragma once

// As the real one does.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <library_types.h>

enum cublasStatus_t { CUBLAS_STATUS_SUCCESS };
enum cublasComputeType_t { CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_COMPUTE_32F_FAST_16BF };
enum cublasMath_t { CUBLAS_DEFAULT_MATH, CUBLAS_TF32_TENSOR_OP_MATH };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT, CUBLAS_GEMM_DEFAULT_TENSOR_OP };
using cublasHandle_t = void *;
using cublasLtHandle_t = void *;

inline cublasStatus_t cublasCreate(cublasHandle_t *) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasDestroy(cublasHandle_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasLtCreate(cublasLtHandle_t *) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t) { return CUBLAS_STATUS_SUCCESS; }
template <class... Any> cublasStatus_t cublasGemmEx(Any...) { return CUBLAS_STATUS_SUCCESS; }
template <class... Any> cublasStatus_t cublasSgemm(Any...) { return CUBLAS_STATUS_SUCCESS; }
template <class... Any> cublasStatus_t cublasSgemmStridedBatched(Any...) { return CUBLAS_STATUS_SUCCESS; }
