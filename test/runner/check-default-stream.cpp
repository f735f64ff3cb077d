/** What a launch `<<<…>>>` ends in, with and without the stream that captures: CUDA's runtime is played by this program. */
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <initializer_list>

struct Extent {
  unsigned x, y, z;
};

namespace {
void launched(Extent grid, Extent block, std::size_t shared_bytes, void *stream) {
  std::printf("%u,%u,%u %u,%u,%u %zu %p\n", grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes, stream);
}
char registered[64];
}  // namespace

extern "C" {
// CUDA 13's compiler calls the second one, CUDA 12's the first.
unsigned cudaLaunchKernel(const void *, Extent grid, Extent block, void **, std::size_t shared_bytes, void *stream) {
  launched(grid, block, shared_bytes, stream);
  return 0;
}
unsigned __cudaLaunchKernel(void *, Extent grid, Extent block, void **, std::size_t shared_bytes, void *stream, int) {
  launched(grid, block, shared_bytes, stream);
  return 0;
}
unsigned __cudaGetKernel(void **kernel, const void *) {
  *kernel = registered;
  return 0;
}
char __cudaInitModule(void **) { return 1; }
void **__cudaRegisterFatBinary(void *) { return reinterpret_cast<void **>(registered); }
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *, int *) {}

void launch_on(void *stream);
void launch_within(void *stream);
unsigned __cudaPopCallConfiguration(Extent *, Extent *, std::size_t *, void *);
}

int main() {
  void *const mine = reinterpret_cast<void *>(0x1000), *const other = reinterpret_cast<void *>(0x2000);
  const auto capture = reinterpret_cast<void (*)(void *)>(dlsym(RTLD_DEFAULT, "pawl_capture_default_stream"));
  for (void *stream : {static_cast<void *>(nullptr), reinterpret_cast<void *>(1), reinterpret_cast<void *>(2), other}) {
    launch_on(stream);
    capture(mine);
    launch_on(stream);
    capture(nullptr);
  }
  launch_within(other);
  Extent grid, block;
  std::size_t bytes;
  void *stream;
  std::printf("%u\n", __cudaPopCallConfiguration(&grid, &block, &bytes, &stream));
}
