/* Memory bandwidth of the CPUs that the runner is pinned to: y = x, both larger than any cache. */
#include <cstdint>
#include <cstring>

#ifdef _OPENMP
#include <omp.h>
#endif

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "pawl_kernel.h"

namespace {

/** Past the caches where that can be said: what stays in them was not written to memory. */
void copy(char *to, const char *from, std::int64_t bytes) {
  std::int64_t done = 0;
#if defined(__AVX512F__)
  for (; done + 64 <= bytes; done += 64)
    _mm512_stream_si512(reinterpret_cast<__m512i *>(to + done), _mm512_load_si512(from + done));
#elif defined(__AVX__)
  for (; done + 32 <= bytes; done += 32)
    _mm256_stream_si256(reinterpret_cast<__m256i *>(to + done),
                        _mm256_load_si256(reinterpret_cast<const __m256i *>(from + done)));
#elif defined(__SSE2__)
  for (; done + 16 <= bytes; done += 16)
    _mm_stream_si128(reinterpret_cast<__m128i *>(to + done),
                     _mm_load_si128(reinterpret_cast<const __m128i *>(from + done)));
#endif
  std::memcpy(to + done, from + done, static_cast<std::size_t>(bytes - done));
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  const char *from = static_cast<const char *>(call->tensors[0].data);
  char *to = static_cast<char *>(call->tensors[1].data);
  const std::int64_t bytes = call->dims[0].value * static_cast<std::int64_t>(sizeof(float));
#pragma omp parallel
  {
#ifdef _OPENMP
    const std::int64_t threads = omp_get_num_threads(), own = omp_get_thread_num();
#else
    const std::int64_t threads = 1, own = 0;
#endif
    // In lines of 64 bytes, so that every part is aligned.
    const std::int64_t lines = bytes / 64, begin = lines * own / threads * 64;
    const std::int64_t end = own + 1 == threads ? bytes : lines * (own + 1) / threads * 64;
    copy(to + begin, from + begin, end - begin);
  }
  return 0;
}
