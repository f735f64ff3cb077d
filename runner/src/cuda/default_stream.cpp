/**
 * A library of its own, which a process for Python loads before CUDA's runtime: it stands in front of what `<<<…>>>` calls.
 * CUDA does not capture launches on the default stream, which many extensions of PyTorch use. While calls are captured, such
 * a launch goes to the stream that captures them; at any other time it is left as it is.
 */
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

/** CUDA's dim3. */
struct Extent {
  unsigned x, y, z;
};

struct Launch {
  Extent grid, block;
  std::size_t shared_bytes;
  void *stream;
};

constexpr unsigned SUCCESS = 0, MISSING_CONFIGURATION = 52;
/** cudaStreamLegacy and cudaStreamPerThread; the null stream is one of both. */
constexpr std::uintptr_t LAST_DEFAULT_STREAM = 2;

/** Arguments of a launch may launch themselves. */
thread_local std::vector<Launch> launches;
thread_local void *capturing = nullptr;

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED unsigned __cudaPushCallConfiguration(Extent grid, Extent block, std::size_t shared_bytes, void *stream) {
  const bool on_default = reinterpret_cast<std::uintptr_t>(stream) <= LAST_DEFAULT_STREAM;
  launches.push_back({grid, block, shared_bytes, on_default && capturing != nullptr ? capturing : stream});
  return SUCCESS;
}

EXPORTED unsigned __cudaPopCallConfiguration(Extent *grid, Extent *block, std::size_t *shared_bytes, void *stream) {
  if (launches.empty()) return MISSING_CONFIGURATION;
  const Launch launch = launches.back();
  launches.pop_back();
  *grid = launch.grid;
  *block = launch.block;
  *shared_bytes = launch.shared_bytes;
  *static_cast<void **>(stream) = launch.stream;
  return SUCCESS;
}

/** Of this thread, until it is called with a null pointer. */
EXPORTED void pawl_capture_default_stream(void *stream) { capturing = stream; }
