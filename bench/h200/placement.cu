/**
 * Whether the time of an elementwise kernel depends on where its tensors lie in the GPU's memory: `placement [seed]
 * [trials]`. Memory of random sizes is held before and between the two tensors, in pages of 2 MiB. Prints a line of JSON
 * for each kind of placement; a run is [pages before, pages between, ms with a grid-stride loop, ms with one block for
 * each 256 vectors], each the median of nine launches.
 */
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define CHECK(call)                                                                      \
  do {                                                                                   \
    const int result = static_cast<int>(call);                                           \
    if (result != 0) std::printf("error %d in line %d\n", result, __LINE__), std::exit(1); \
  } while (0)

__device__ float4 relu(float4 v) {
  return make_float4(fmaxf(v.x, 0), fmaxf(v.y, 0), fmaxf(v.z, 0), fmaxf(v.w, 0));
}

__global__ void few_blocks(const float4 *x, float4 *y, size_t n) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
    y[i] = relu(x[i]);
}

__global__ void many_blocks(const float4 *x, float4 *y, size_t n) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) y[i] = relu(x[i]);
}

constexpr size_t PAGE = size_t(2) << 20;

struct Memory {
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr data = 0;
  size_t bytes = 0;
};

Memory take(size_t bytes, bool mapped) {
  Memory memory;
  memory.bytes = (bytes + PAGE - 1) / PAGE * PAGE;
  if (memory.bytes == 0) return memory;
  CUmemAllocationProp wanted{};
  wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  wanted.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CHECK(cuMemCreate(&memory.handle, memory.bytes, &wanted, 0));
  if (!mapped) return memory;
  CHECK(cuMemAddressReserve(&memory.data, memory.bytes, 0, 0, 0));
  CHECK(cuMemMap(memory.data, memory.bytes, 0, memory.handle, 0));
  const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CHECK(cuMemSetAccess(memory.data, memory.bytes, &access, 1));
  return memory;
}

void give_back(const Memory &memory) {
  if (memory.bytes == 0) return;
  if (memory.data != 0) {
    CHECK(cuMemUnmap(memory.data, memory.bytes));
    CHECK(cuMemAddressFree(memory.data, memory.bytes));
  }
  CHECK(cuMemRelease(memory.handle));
}

template <typename Launch>
float median_ms(Launch launch) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<float> times(9);
  for (float &ms : times) {
    CHECK(cudaEventRecord(begin));
    launch();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&ms, begin, end));
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

struct Kind {
  const char *name;
  /** Fewer pages than these are held. */
  size_t before, between;
};

int main(int argc, char **argv) {
  std::mt19937_64 random(argc > 1 ? std::atoll(argv[1]) : 1);
  const int trials = argc > 2 ? std::atoi(argv[2]) : 12;
  CHECK(cudaFree(nullptr));
  const Kind kinds[] = {
      {"none", 0, 0}, {"before<64p", 64, 0}, {"between<64p", 0, 64}, {"both<512p", 512, 512}, {"both<4096p", 4096, 4096}};
  for (const size_t bytes : {size_t(4096) * 393216 * 4, size_t(1) << 30})
    for (const bool by_malloc : {false, true})
      for (const Kind &kind : kinds) {
        std::printf("{\"kind\":\"%s\",\"malloc\":%d,\"mb\":%zu,\"runs\":[", kind.name, by_malloc, bytes >> 20);
        for (int trial = 0; trial < trials; ++trial) {
          const size_t before = kind.before == 0 ? 0 : random() % kind.before;
          const size_t between = kind.between == 0 ? 0 : random() % kind.between;
          const Memory first = take(before * PAGE, false), input = take(bytes, true), second = take(between * PAGE, false);
          const Memory output = by_malloc ? Memory{} : take(bytes, true);
          void *y = reinterpret_cast<void *>(output.data);
          if (by_malloc) CHECK(cudaMalloc(&y, bytes));
          const auto *from = reinterpret_cast<const float4 *>(input.data);
          auto *to = static_cast<float4 *>(y);
          const size_t vectors = bytes / sizeof(float4);
          CHECK(cudaMemset(reinterpret_cast<void *>(input.data), 0, bytes));
          const float few = median_ms([&] { few_blocks<<<132 * 8, 256>>>(from, to, vectors); });
          const float many =
              median_ms([&] { many_blocks<<<unsigned((vectors + 255) / 256), 256>>>(from, to, vectors); });
          std::printf("%s[%zu,%zu,%.4f,%.4f]", trial == 0 ? "" : ",", before, between, few, many);
          if (by_malloc) CHECK(cudaFree(y));
          for (const Memory &memory : {output, second, input, first}) give_back(memory);
        }
        std::printf("]}\n");
        std::fflush(stdout);
      }
}
