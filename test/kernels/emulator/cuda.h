// The part of the driver's interface that encodes tensor maps, for the emulator.
#ifndef PAWL_EMULATOR_CUDA_H
#define PAWL_EMULATOR_CUDA_H

#include "cuda_runtime.h"

typedef int CUresult;
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef int CUtensorMapDataType, CUtensorMapInterleave, CUtensorMapSwizzle;
typedef int CUtensorMapL2promotion, CUtensorMapFloatOOBfill;
typedef int cudaDriverEntryPointQueryResult;
enum {
  CUDA_SUCCESS = 0,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16 = 6,
  CU_TENSOR_MAP_INTERLEAVE_NONE = 0,
  CU_TENSOR_MAP_SWIZZLE_128B = 3,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B = 3,
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0,
  cudaEnableDefault = 0,
  cudaDriverEntryPointSuccess = 0
};

struct alignas(64) CUtensorMap {
  unsigned char *data;
  uint64_t sizes[3], strides[2];
  uint32_t box[3];
};

// Refuses what the driver refuses: misaligned addresses and strides, boxes that are too large for the swizzle.
inline CUresult emulated_encode(CUtensorMap *map, CUtensorMapDataType, cuuint32_t rank, void *data,
                                const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  if (rank != 3 || swizzle != CU_TENSOR_MAP_SWIZZLE_128B || box[0] * 2 > 128) return 1;
  if (reinterpret_cast<uintptr_t>(data) % 16 != 0 || strides[0] % 16 != 0 || strides[1] % 16 != 0) return 1;
  for (int i = 0; i < 3; i++)
    if (sizes[i] == 0 || box[i] == 0 || box[i] > 256 || steps[i] != 1) return 1;
  map->data = static_cast<unsigned char *>(data);
  std::copy(sizes, sizes + 3, map->sizes);
  std::copy(strides, strides + 2, map->strides);
  std::copy(box, box + 3, map->box);
  return CUDA_SUCCESS;
}

inline cudaError_t cudaGetDriverEntryPointByVersion(const char *, void **found, unsigned, int,
                                                    cudaDriverEntryPointQueryResult *result) {
  *found = reinterpret_cast<void *>(emulated_encode);
  *result = cudaDriverEntryPointSuccess;
  return cudaSuccess;
}

#endif
