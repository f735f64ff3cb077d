// Attention for Hopper (compute capability 9.0a), f16 in and out, D = DEPTH (64 or 128), any S, causal or not:
// softmax(Q·Kᵀ/√D)·V. Design and cycle budget: NOTES.md.
//
// One thread asks the copy engine for tiles (produce.cuh), and warpgroups of 64 queries each compute
// (consume.cuh): scores and output accumulate in registers by wgmma, the weights go from the scores' registers
// straight into the second product, and while the softmax of one block of keys runs the tensor cores multiply.
// Blocks are persistent: each takes tile after tile of BLOCK_M queries.
//
// Tunables, as macros: BLOCK_M queries a tile (64 a warpgroup); BLOCK_N keys a block; STAGES buffers for K and
// V; BLOCKS_PER_SM thread blocks that share a multiprocessor; ORDERED, 1 to have the warpgroups issue their
// products in turn (only without a mask, where all have the same number of them); RESIDENT, 1 to load a head's K
// and V once if they all fit; BOLD, 1 to look for a row's maximum only where weights outgrow f16; POLY, n > 0 to
// have every n-th exponential done by a polynomial; CHAINED, 1 to be launched while the kernel before it in the stream
// still ends: what needs none of its results is done meanwhile; SELF, 1 to have no warpgroup that only loads (only
// without a mask) and hold a tile's queries in registers; HINT, 1 to have what is read once leave the L2 first.
#include <cuda.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>

#include "consume.cuh"
#include "counters.cuh"
#include "layout.cuh"
#include "pawl_kernel.h"
#include "produce.cuh"
#include "schedule.cuh"
#include "tensor-map.cuh"

enum Failure {
  BAD_CALL = 100001,  // clear of CUDA's own codes
  BAD_DTYPE,
  BAD_DEPTH,
  TOO_LARGE,
  NO_ENCODER,
  BAD_MAP
};

template <bool CAUSAL>
static __global__ void __launch_bounds__(THREADS<CAUSAL>, BLOCKS_PER_SM)
    attention(const __grid_constant__ CUtensorMap q_map, const __grid_constant__ CUtensorMap k_map,
              const __grid_constant__ CUtensorMap v_map, const __grid_constant__ CUtensorMap o_map, Shape shape,
              float scale) {
  extern __shared__ __align__(1024) unsigned char attention_memory[];
  const uint32_t memory = shared_address(attention_memory);
  const Barriers barriers = {memory + BARRIERS_AT};
  constexpr unsigned LOADER = LOADS_ITSELF<CAUSAL> ? 0 : 32 * CONSUMER_WARPS;
  if (threadIdx.x == LOADER) {
    // Fetching the maps takes longer than all that is done before they are needed.
    prefetch_map(&q_map);
    prefetch_map(&k_map);
    prefetch_map(&v_map);
    for (int group = 0; group < CONSUMERS; group++)
      for (int buffer = 0; buffer < 2; buffer++) {
        barrier_init(barriers.q_full(group, buffer), 1);
        barrier_init(barriers.q_empty(group, buffer), CAUSAL ? 128 : 4);
      }
    for (int stage = 0; stage < STAGES; stage++) {
      barrier_init(barriers.k_full(stage), 1);
      barrier_init(barriers.k_empty(stage), CONSUMER_WARPS);
      barrier_init(barriers.v_full(stage), 1);
      barrier_init(barriers.v_empty(stage), CONSUMER_WARPS);
    }
    barrier_init_fence();
  }
  __syncthreads();
  if constexpr (LOADS_ITSELF<CAUSAL>) {
    if (CHAINED && threadIdx.x == 0) launch_next_kernel();
    if (threadIdx.x == 0) prefetch_map(&o_map);
    consume<CAUSAL>({&q_map, &k_map, &v_map, &o_map}, memory, barriers, shape, scale);
  } else if (threadIdx.x >= LOADER) {
    release_registers<PRODUCER_REGISTERS>();
    if (threadIdx.x == LOADER) {
      if (CHAINED) {
        launch_next_kernel();
        await_kernel_before();  // nothing is read before the first load, and nothing written before what it loads
      }
      produce<CAUSAL>(&q_map, &k_map, &v_map, memory, barriers, shape);
    }
  } else {
    claim_registers<CONSUMER_REGISTERS>();
    if (threadIdx.x == 0) prefetch_map(&o_map);
    consume<CAUSAL>({&q_map, &k_map, &v_map, &o_map}, memory, barriers, shape, scale);
  }
}

template <bool CAUSAL>
static int launch(const pawl_call *call, Shape shape) {
  static const Device device;
  static const cudaError_t prepared =
      cudaFuncSetAttribute(attention<CAUSAL>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES);
  if (device.encoder == nullptr) return NO_ENCODER;
  if (device.status != cudaSuccess) return device.status;
  if (prepared != cudaSuccess) return prepared;
  static void *counters = nullptr;
  static const cudaError_t found = cudaGetSymbolAddress(&counters, tiles_given);
  if (found != cudaSuccess) return found;

  // Tensors move between calls, so the maps are encoded anew: about a microsecond on the host.
  CUtensorMap maps[4];
  const uint32_t rows[] = {64, BLOCK_N, BLOCK_N, 16};
  for (int i = 0; i < 4; i++)
    if (!encode(device.encoder, &maps[i], call->tensors[i].data, shape.heads, shape.length, D, rows[i]))
      return BAD_MAP;

  cudaLaunchConfig_t config = {};
  const int turns = takes_heads<CAUSAL>(shape) ? shape.heads : shape.heads * shape.query_blocks;
  const int resident = device.processors * BLOCKS_PER_SM;
  if (CAUSAL && turns > resident) shape.given = counter_of(call->tensors[3].data, static_cast<unsigned *>(counters));
  const bool shares = turns > resident && !(CAUSAL && shape.given == nullptr);
  const int thread_blocks = shares ? resident : turns;
  set_schedule<CAUSAL>(shape, thread_blocks);
  config.gridDim = dim3(static_cast<unsigned>(thread_blocks));
  config.blockDim = dim3(THREADS<CAUSAL>);
  config.dynamicSmemBytes = SHARED_BYTES;
  config.stream = static_cast<cudaStream_t>(call->stream);
  cudaLaunchAttribute chained = {};
  chained.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  chained.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &chained;
  config.numAttrs = CHAINED;
  const float log2_e = 1.44269504f;
  return cudaLaunchKernelEx(&config, attention<CAUSAL>, maps[0], maps[1], maps[2], maps[3], shape,
                            log2_e / sqrtf(static_cast<float>(D)));
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  if (call->dim_count != 5 || call->tensor_count != 4) return BAD_CALL;
  for (int i = 0; i < 4; i++)
    if (call->tensors[i].dtype != PAWL_F16) return BAD_DTYPE;
  if (call->dims[3].value != D) return BAD_DEPTH;
  const int64_t heads = call->dims[0].value * call->dims[1].value, length = call->dims[2].value;
  const int64_t query_blocks = (length + BLOCK_M - 1) / BLOCK_M;
  if (length > INT32_MAX / 2 || heads > INT32_MAX || heads * query_blocks > INT32_MAX / 2) return TOO_LARGE;
  Shape shape = {};
  shape.length = static_cast<int>(length);
  shape.heads = static_cast<int>(heads);
  shape.query_blocks = static_cast<int>(query_blocks);
  return call->dims[4].value != 0 ? launch<true>(call, shape) : launch<false>(call, shape);
}

PAWL_EXPORT const char *pawl_error_text(int code) {
  switch (code) {
    case BAD_CALL: return "attention takes dims B, H, S, D, CAUSAL and tensors q, k, v, o of [B, H, S, D]";
    case BAD_DTYPE: return "this attention kernel computes in f16 only";
    case BAD_DEPTH: return "this attention kernel is built for one D, by the macro DEPTH: 64 or 128";
    case TOO_LARGE: return "more tiles or rows than an int can number";
    case NO_ENCODER: return "the driver has no cuTensorMapEncodeTiled: it is older than CUDA 12";
    case BAD_MAP: return "the driver refused a tensor map for q, k, v or o";
    default: return cudaGetErrorString(static_cast<cudaError_t>(code));
  }
}
