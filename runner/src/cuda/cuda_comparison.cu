#include "cuda_comparison.hpp"

#include <vector>

#include "cuda_error.hpp"
#include "grid.hpp"

namespace pawl {
namespace {

/** Few blocks, since each hands in a part that the host adds up; each has much to do then. */
constexpr unsigned MOST_PARTS = 1024;
constexpr std::size_t LARGEST_PART = 128;

unsigned parts_for(std::size_t work) { return std::min(blocks_for(work), MOST_PARTS); }

__global__ void widen_kernel(void *wide, pawl_dtype wide_dtype, const void *data, pawl_dtype dtype, std::size_t count) {
  for (std::size_t i = first_item(); i < count; i += stride()) widen_element(wide, wide_dtype, data, dtype, i);
}

__global__ void write_kernel(Written written, Answer answer) {
  for (std::size_t i = first_item(); i < written.count; i += stride()) write_element(written, answer, i);
}

/** What the threads of a block come to, in its first thread's place. */
template <typename Part>
__device__ void hand_in(const Part &own, Part *parts) {
  __shared__ alignas(Part) unsigned char memory[THREADS * sizeof(Part)];
  Part *shared = reinterpret_cast<Part *>(memory);
  shared[threadIdx.x] = own;
  for (unsigned half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) shared[threadIdx.x].add(shared[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) parts[blockIdx.x] = shared[0];
}

__global__ void compare_kernel(Comparison comparison, const double *powers, Tally *parts, unsigned long long *counts) {
  __shared__ unsigned own_counts[ErrorSpread::COUNTS];
  for (unsigned i = threadIdx.x; i < ErrorSpread::COUNTS; i += THREADS) own_counts[i] = 0;
  __syncthreads();
  Tally own;
  // Most elements are exact, and would all wait for one place in memory.
  unsigned exact = 0;
  for (std::size_t i = first_item(); i < comparison.count; i += stride()) {
    const ComparedElement element = compare_element(comparison, i);
    own.add(element, i);
    if (element.exact)
      ++exact;
    else
      atomicAdd(&own_counts[ErrorSpread::place(element.error, false, powers)], 1u);
  }
  atomicAdd(&own_counts[ErrorSpread::EXACT], exact);
  hand_in(own, parts);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < ErrorSpread::COUNTS; i += THREADS)
    if (own_counts[i] > 0) atomicAdd(&counts[i], static_cast<unsigned long long>(own_counts[i]));
}

struct DifferencePart : Difference {
  __host__ __device__ void add(const DifferencePart &other) {
    unwritten += other.unwritten;
    differing += other.differing;
  }
};

__global__ void difference_kernel(TwoRuns runs, DifferencePart *parts) {
  DifferencePart own;
  for (std::size_t i = first_item(); i < runs.count; i += stride()) add_difference(own, runs, i);
  hand_in(own, parts);
}

__global__ void describe_kernel(Described described, Description *parts) {
  Description own;
  for (std::size_t i = first_item(); i < described.count; i += stride()) add_described(own, described, i);
  hand_in(own, parts);
}

static_assert(sizeof(Tally) <= LARGEST_PART && sizeof(Description) <= LARGEST_PART, "parts have their room");

template <typename Part>
Part sum_of(const void *device_parts, unsigned count, cudaStream_t stream) {
  PAWL_CUDA(cudaGetLastError());
  std::vector<Part> parts(count);
  PAWL_CUDA(cudaMemcpyAsync(parts.data(), device_parts, count * sizeof(Part), cudaMemcpyDeviceToHost, stream));
  PAWL_CUDA(cudaStreamSynchronize(stream));
  for (unsigned i = 1; i < count; ++i) parts[0].add(parts[i]);
  return parts[0];
}

}  // namespace

CudaComparison::CudaComparison(cudaStream_t stream) : stream_(stream) {
  const auto &powers = ErrorSpread::powers();
  PAWL_CUDA(cudaMalloc(&parts_, MOST_PARTS * LARGEST_PART));
  PAWL_CUDA(cudaMalloc(reinterpret_cast<void **>(&counts_), ErrorSpread::COUNTS * sizeof *counts_));
  PAWL_CUDA(cudaMalloc(reinterpret_cast<void **>(&powers_), sizeof powers));
  PAWL_CUDA(cudaMemcpy(powers_, powers.data(), sizeof powers, cudaMemcpyHostToDevice));
}

CudaComparison::~CudaComparison() {
  cudaFree(parts_);
  cudaFree(counts_);
  cudaFree(powers_);
}

void CudaComparison::widen(void *wide, pawl_dtype wide_dtype, const void *data, pawl_dtype dtype, std::size_t count) {
  widen_kernel<<<blocks_for(count), THREADS, 0, stream_>>>(wide, wide_dtype, data, dtype, count);
  PAWL_CUDA(cudaGetLastError());
}

void CudaComparison::write(const Written &written, const Answer &answer) {
  write_kernel<<<blocks_for(written.count), THREADS, 0, stream_>>>(written, answer);
  PAWL_CUDA(cudaGetLastError());
}

Compared CudaComparison::compare(const Comparison &comparison) {
  const unsigned blocks = parts_for(comparison.count);
  PAWL_CUDA(cudaMemsetAsync(counts_, 0, ErrorSpread::COUNTS * sizeof *counts_, stream_));
  compare_kernel<<<blocks, THREADS, 0, stream_>>>(comparison, powers_, static_cast<Tally *>(parts_), counts_);
  Compared found;
  static_assert(sizeof found.spread.counts == ErrorSpread::COUNTS * sizeof *counts_, "counts of the same size");
  found.tally = sum_of<Tally>(parts_, blocks, stream_);
  PAWL_CUDA(cudaMemcpyAsync(found.spread.counts.data(), counts_, sizeof found.spread.counts, cudaMemcpyDeviceToHost,
                            stream_));
  PAWL_CUDA(cudaStreamSynchronize(stream_));
  return found;
}

Difference CudaComparison::difference(const TwoRuns &runs) {
  const unsigned blocks = parts_for(runs.count);
  difference_kernel<<<blocks, THREADS, 0, stream_>>>(runs, static_cast<DifferencePart *>(parts_));
  return sum_of<DifferencePart>(parts_, blocks, stream_);
}

Description CudaComparison::describe(const Described &described) {
  const unsigned blocks = parts_for(described.count);
  describe_kernel<<<blocks, THREADS, 0, stream_>>>(described, static_cast<Description *>(parts_));
  return sum_of<Description>(parts_, blocks, stream_);
}

}  // namespace pawl
