#include "sealed_file.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "error.hpp"
#include "sha256.hpp"
#include "watch/proc.hpp"

namespace pawl {

int open_sealed(const std::string &path, const std::string &expected) {
  const auto failed = [&path](const std::string &why) { throw RunnerError("load-failed", path + ": " + why); };
  const std::optional<std::string> bytes = read_proc(path);
  if (!bytes) failed("cannot open shared object file: " + std::string(std::strerror(errno)));
  if (!expected.empty() && hex(sha256(*bytes)) != expected)
    failed("its contents are not what was built; something changed it since (remove it, and build again)");
  const int descriptor = memfd_create("pawl-library", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) failed(std::strerror(errno));
  for (std::size_t written = 0; written < bytes->size();) {
    const ssize_t part = write(descriptor, bytes->data() + written, bytes->size() - written);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) {
      const int reason = errno;
      close(descriptor);
      failed(std::strerror(reason));
    }
    written += static_cast<std::size_t>(part);
  }
  fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
  return descriptor;
}

}  // namespace pawl
