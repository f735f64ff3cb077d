#include "kernel_library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include "error.hpp"

namespace pawl {

Library::Library(const std::string &path, int descriptor) : path_(path) {
  const std::string source = descriptor < 0 ? path : "/proc/self/fd/" + std::to_string(descriptor);
  handle_ = dlopen(source.c_str(), RTLD_NOW | RTLD_LOCAL);
  std::string reason = handle_ == nullptr ? dlerror() : "";
  if (handle_ != nullptr) return;
  if (descriptor >= 0) close(descriptor);
  // The loader names what it was given; people know the file.
  if (const std::size_t at = reason.find(source); at != std::string::npos) reason.replace(at, source.size(), path);
  throw RunnerError("load-failed", reason);
}

void *Library::symbol(const char *name) const {
  void *address = optional_symbol(name);
  if (address == nullptr)
    throw RunnerError("load-failed", spoken_name(path_, "the library") + " has no function " + name +
                                         "; declare it with PAWL_EXPORT, as in pawl_kernel.h");
  return address;
}

void *Library::optional_symbol(const char *name) const { return dlsym(handle_, name); }

std::string spoken_name(const std::string &path, const std::string &otherwise) {
  const std::string file = path.substr(path.rfind('/') + 1);
  // What Pawl built is called this, whatever it was built from.
  return file == "library.so" ? otherwise : file;
}

std::string Library::name() const { return path_.substr(path_.rfind('/') + 1); }

KernelLibrary::KernelLibrary(const std::string &path, const std::string &function, int descriptor,
                             const std::string &prepare)
    : library_(path, descriptor),
      function_(function),
      run_(reinterpret_cast<int (*)(const pawl_call *)>(library_.symbol(function.c_str()))),
      workspace_bytes_(
          reinterpret_cast<std::size_t (*)(const pawl_call *)>(library_.optional_symbol("pawl_workspace_bytes"))),
      error_text_(reinterpret_cast<const char *(*)(int)>(library_.optional_symbol("pawl_error_text"))),
      preparing_(prepare) {
  if (!preparing_.empty()) {
    prepare_ = reinterpret_cast<int (*)(const pawl_call *)>(library_.symbol(preparing_.c_str()));
    prepared_bytes_ = reinterpret_cast<std::size_t (*)(const pawl_call *)>(library_.symbol("pawl_prepared_bytes"));
  }
  if (descriptor >= 0) close(descriptor);
}

int KernelLibrary::run(const pawl_call *call) const {
  try {
    return run_(call);
  } catch (const std::exception &error) {
    throw RunnerError("kernel-failed", function_ + " threw an exception: " + error.what());
  }
}

std::size_t KernelLibrary::workspace_bytes(const pawl_call *call) const {
  return workspace_bytes_ == nullptr ? 0 : workspace_bytes_(call);
}

std::size_t KernelLibrary::prepared_bytes(const pawl_call *call) const {
  return prepared_bytes_ == nullptr ? 0 : prepared_bytes_(call);
}

void KernelLibrary::prepare(const pawl_call *call) const {
  int status = 0;
  try {
    status = prepare_(call);
  } catch (const std::exception &error) {
    throw RunnerError("kernel-failed", preparing_ + " threw an exception: " + error.what());
  }
  if (status != 0) fail(preparing_, status);
}

void KernelLibrary::fail(int status) const { fail(function_, status); }

void KernelLibrary::fail(const std::string &function, int status) const {
  const char *text = error_text_ == nullptr ? nullptr : error_text_(status);
  throw RunnerError("kernel-failed",
                    function + " returned " + std::to_string(status) + (text == nullptr ? "" : std::string(": ") + text));
}

}  // namespace pawl
