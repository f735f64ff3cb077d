// Tensor maps, which tell the copy engine where a tensor lies and how its boxes are laid out in shared memory.
#ifndef PAWL_ATTENTION_TENSOR_MAP_CUH
#define PAWL_ATTENTION_TENSOR_MAP_CUH

#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>

typedef CUresult (*Encoder)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                            const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave,
                            CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

// The driver's encoder through the runtime, so that the library does not link the driver.
static Encoder find_encoder() {
  void *found = nullptr;
  cudaDriverEntryPointQueryResult result;
  const cudaError_t status =
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result);
  const bool there = status == cudaSuccess && result == cudaDriverEntryPointSuccess;
  return there ? reinterpret_cast<Encoder>(found) : nullptr;
}

// A [heads, length, depth] tensor of f16 in boxes of 64 columns and `rows` rows that never cross from one head into the
// next: rows past a head's end are loaded as zeros and not stored.
static bool encode(Encoder encoder, CUtensorMap *map, void *data, int heads, int length, int depth,
                   uint32_t rows) {
  const cuuint64_t row_bytes = 2 * static_cast<cuuint64_t>(depth);
  const cuuint64_t sizes[] = {static_cast<cuuint64_t>(depth), static_cast<cuuint64_t>(length),
                              static_cast<cuuint64_t>(heads)};
  const cuuint64_t strides[] = {row_bytes, row_bytes * static_cast<cuuint64_t>(length)};
  const cuuint32_t box[] = {64, rows, 1}, steps[] = {1, 1, 1};
  return encoder(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3, data, sizes, strides, box, steps,
                 CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

// What does not change between calls.
struct Device {
  Encoder encoder = find_encoder();
  cudaError_t status = cudaSuccess;
  int processors = 0;
  Device() {
    int device = 0;
    status = cudaGetDevice(&device);
    if (status != cudaSuccess) return;
    status = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  }
};

#endif
