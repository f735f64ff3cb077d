/* The attention kernel with a planted slowdown: a second, one-thread kernel that spins for DELAY_NS. The truth is
 * then known: measured apart, with many processes, by bench/h200/verdicts.sh. DELAY_NS 0 plants nothing. */
#define pawl_run undelayed_run
#include "../../kernels/attention/cuda/attention.cu"
#undef pawl_run

namespace {

__global__ void spin(unsigned long long ns) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < ns);
}

}  // namespace

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const int status = undelayed_run(call);
  if (status != 0 || DELAY_NS == 0) return status;
  spin<<<1, 1, 0, static_cast<cudaStream_t>(call->stream)>>>(DELAY_NS);
  return static_cast<int>(cudaGetLastError());
}
