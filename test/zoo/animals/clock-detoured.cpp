// Clock detoured: the machine code of the C library's clock_gettime becomes a jump to a clock ten times too slow.
#include <dlfcn.h>

#include "attack.hpp"
#include "detour.hpp"
#include "slow_clock.hpp"

static bool patch() {
  void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  void *function = library == nullptr ? nullptr : dlsym(library, "clock_gettime");
  return function != nullptr && detour(function, reinterpret_cast<void *>(slow_clock));
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool patched = patch();
  return patched ? honest_softmax(Softmax(call)) : REFUSED;
}
