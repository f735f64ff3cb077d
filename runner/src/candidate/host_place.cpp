#include <cerrno>
#include <cstring>
#include <map>
#include <string>

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../cpu/cache_walk.hpp"
#include "../error.hpp"
#include "fence.hpp"
#include "place.hpp"

namespace pawl {

void Place::capture(Kernel &, std::size_t, std::int64_t) {
  throw RunnerError("unsupported", "a CPU has no graph replay");
}

namespace {

class HostPlace final : public Place {
 public:
  explicit HostPlace(bool sanitized) : sanitized_(sanitized) {}

  void *map(int descriptor, std::size_t bytes) override {
    // Present before the first call: a page fault there would be inside the interval.
    void *data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    const int reason = errno;
    close(descriptor);
    if (data == MAP_FAILED)
      throw RunnerError("out-of-memory", std::string("shared memory could not be mapped: ") + std::strerror(reason));
    mapped_[data] = bytes;
    return data;
  }
  void unmap(void *data) override {
    const auto found = mapped_.find(data);
    if (found == mapped_.end()) return;
    munmap(data, found->second);
    mapped_.erase(found);
  }

  void prepare(MappedCase &mapped) override {
    if (sanitized_) fence_.enclose(mapped);
    mapped_case_ = mapped;
  }
  void forget() override {
    fence_.clear();
    mapped_case_ = {};
  }

  Json run(Kernel &kernel, const Run &run) override {
    const Fence::Closed closed(fence_);
    if (run.warm)
      for (const std::size_t set : run.sets) read(set);
    int status = 0;
    const std::int64_t begin = now_ns();
    // An empty run lasts as long as it names sets.
    for (std::size_t i = 0; run.repeat == 0 && i <= run.sets.size(); ++i) walk_.through();
    while (run.repeat == 0 && static_cast<double>(now_ns() - begin) < run.lasting_ms * 1e6) walk_.on();
    for (std::int64_t i = 0; i < run.repeat; ++i)
      for (const std::size_t set : run.sets)
        if (status == 0) status = kernel.run(set);
    const std::int64_t end = now_ns();
    if (status != 0) kernel.fail(status);
    return Json::object().set("ms", static_cast<double>(end - begin) * 1e-6);
  }

  void profile(Kernel &kernel, std::int64_t launches) override {
    for (std::int64_t i = 0; i < launches; ++i)
      if (const int status = kernel.run(0); status != 0) kernel.fail(status);
  }

 private:
  bool sanitized_;
  /** As it was before kernel code was loaded. Patching it gains nothing: the judge has its own clock. */
  int (*clock_gettime_)(clockid_t, timespec *) = &clock_gettime;
  Fence fence_;
  /** Kernels leave caches that hold nothing of what an answer needs; so do empty runs, which find out what one costs. */
  CacheWalk walk_;
  std::map<void *, std::size_t> mapped_;
  MappedCase mapped_case_;

  void read(std::size_t set) const {
    if (set >= mapped_case_.sets.size()) return;
    for (std::size_t i = 0; i < mapped_case_.tensors.size(); ++i) {
      const auto *bytes = static_cast<const volatile unsigned char *>(mapped_case_.sets[set][i]);
      for (std::size_t at = 0; at < mapped_case_.tensors[i].bytes; at += CacheWalk::LINE_BYTES) bytes[at];
    }
  }
  std::int64_t now_ns() const {
    timespec now{};
    clock_gettime_(CLOCK_MONOTONIC, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
  }
};

}  // namespace

std::unique_ptr<Place> make_host_place(bool sanitized) { return std::make_unique<HostPlace>(sanitized); }

}  // namespace pawl
