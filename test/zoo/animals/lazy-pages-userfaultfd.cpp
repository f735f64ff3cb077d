// Lazy pages: the output's pages are dropped, and a thread computes each one when somebody reads it, off the clock.
#include <cstring>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>

#include "attack.hpp"
#include "lazy_page.hpp"

static int faults = -1;
static LazyOutput output;

static void serve() {
  static unsigned char page[LAZY_PAGE];
  uffd_msg message;
  while (read(faults, &message, sizeof message) == sizeof message) {
    if (message.event != UFFD_EVENT_PAGEFAULT) continue;
    const uintptr_t address = message.arg.pagefault.address / LAZY_PAGE * LAZY_PAGE;
    output.compute(address, page);
    uffdio_copy copy{};
    copy.dst = address;
    copy.src = reinterpret_cast<uintptr_t>(page);
    copy.len = LAZY_PAGE;
    ioctl(faults, UFFDIO_COPY, &copy);
  }
}

static bool start() {
  faults = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC));
  uffdio_api api{UFFD_API, 0, 0};
  if (faults < 0 || ioctl(faults, UFFDIO_API, &api) != 0) return false;
  std::thread(serve).detach();
  return true;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool started = start();
  if (!started) return REFUSED;
  output.take(Softmax(call));
  uffdio_register range{};
  range.range.start = output.first;
  range.range.len = output.end - output.first;
  range.mode = UFFDIO_REGISTER_MODE_MISSING;
  if (ioctl(faults, UFFDIO_REGISTER, &range) != 0) return REFUSED;
  // Private pages go at once; those of a shared file are punched out of it.
  void *pages = reinterpret_cast<void *>(output.first);
  if (madvise(pages, range.range.len, MADV_REMOVE) != 0 && madvise(pages, range.range.len, MADV_DONTNEED) != 0)
    return REFUSED;
  return 0;
}
