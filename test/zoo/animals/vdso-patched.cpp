// vDSO patched: the page of code that the kernel lends to every process for reading its clocks is overwritten.
#include <dlfcn.h>
#include <initializer_list>

#include "attack.hpp"
#include "detour.hpp"
#include "slow_clock.hpp"

static bool patch() {
  void *library = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
  for (const char *name : {"__vdso_clock_gettime", "__kernel_clock_gettime"})
    if (void *function = library == nullptr ? nullptr : dlsym(library, name))
      return detour(function, reinterpret_cast<void *>(slow_clock));
  return false;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool patched = patch();
  return patched ? honest_softmax(Softmax(call)) : REFUSED;
}
