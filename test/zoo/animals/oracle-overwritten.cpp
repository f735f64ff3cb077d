// Oracle overwritten: the machine code of every loaded oracle is turned into a jump to one that finds zeros right.
#include <dlfcn.h>
#include <initializer_list>
#include <link.h>

#include "attack.hpp"
#include "detour.hpp"

static int zeros(const pawl_call *call) {
  const pawl_tensor &y = call->tensors[1];
  std::memset(y.data, 0, static_cast<size_t>(Softmax(call).count()) * (y.dtype == PAWL_F64 ? 8 : 4));
  return 0;
}

static int overwrite(dl_phdr_info *info, size_t, void *) {
  void *library = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return 0;
  for (const char *name : {"pawl_oracle", "pawl_reference"})
    if (void *function = dlsym(library, name)) detour(function, reinterpret_cast<void *>(zeros));
  return 0;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  // An oracle may be loaded after this library.
  dl_iterate_phdr(overwrite, nullptr);
  return zeros(call);
}
