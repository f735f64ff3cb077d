#include "shared_memory.hpp"

#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../error.hpp"

namespace pawl {

void *SharedMemory::allocate(std::size_t bytes) {
  const auto failed = [bytes](int descriptor) {
    const int reason = errno;
    if (descriptor >= 0) close(descriptor);
    throw RunnerError("out-of-memory",
                      std::to_string(bytes) + " bytes of shared memory are not to be had: " + std::strerror(reason));
  };
  const int descriptor = memfd_create("pawl", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) failed(-1);
  // Sealed: a candidate that cut it short would end this process with a bus error.
  if (ftruncate(descriptor, static_cast<off_t>(bytes)) != 0 ||
      fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    failed(descriptor);
  void *data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (data == MAP_FAILED) failed(descriptor);
  parts_[data] = {descriptor, bytes};
  return data;
}

bool SharedMemory::release(void *data) {
  const auto found = parts_.find(data);
  if (found == parts_.end()) return false;
  munmap(data, found->second.bytes);
  close(found->second.descriptor);
  parts_.erase(found);
  return true;
}

std::pair<int, std::size_t> SharedMemory::shared(const void *data) const {
  const Part &part = parts_.at(data);
  return {part.descriptor, part.bytes};
}

SharedMemory::~SharedMemory() {
  for (const auto &[data, part] : parts_) {
    munmap(const_cast<void *>(data), part.bytes);
    close(part.descriptor);
  }
}

}  // namespace pawl
