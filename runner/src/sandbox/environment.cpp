#include "environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>

namespace pawl {

namespace {

const char *const NAMES[] = {
    "PATH",          "LANG",           "LANGUAGE",           "TZ",                "LD_LIBRARY_PATH",
    "LIBRARY_PATH",  "CPATH",          "C_INCLUDE_PATH",     "CPLUS_INCLUDE_PATH", "CC",
    "CXX",           "PYTHONPATH",     "PYTHONHOME",         "VIRTUAL_ENV",       "CONDA_PREFIX",
    "CUDA_HOME",     "CUDA_PATH",      "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_MODULE_LOADING",
    "LOCALE_ARCHIVE", "SSL_CERT_FILE",
};

// By how they begin: threads and mathematical libraries. Each may change how fast a kernel is.
const char *const PREFIXES[] = {"LC_",       "OMP_",    "GOMP_", "KMP_",     "MKL_",   "OPENBLAS_", "BLIS_",
                                "NVIDIA_",   "CUBLAS_", "CUDNN_", "TORCH_CUDA_", "TRITON_", "NIX_",      "ASAN_",
                                "UBSAN_",    "TSAN_",   "LSAN_"};

bool is_allowed(const std::string &variable) {
  const std::string name = variable.substr(0, variable.find('='));
  return std::find(std::begin(NAMES), std::end(NAMES), name) != std::end(NAMES) ||
         std::any_of(std::begin(PREFIXES), std::end(PREFIXES),
                     [&](const std::string &prefix) { return name.compare(0, prefix.size(), prefix) == 0; });
}

}  // namespace

std::vector<std::string> clean_environment(const std::string &scratch) {
  std::vector<std::string> env;
  for (char **one = environ; *one != nullptr; one++)
    if (is_allowed(*one)) env.push_back(*one);
  const auto in_scratch = [&](const std::string &name, const std::string &folder) {
    env.erase(std::remove_if(env.begin(), env.end(),
                             [&](const std::string &one) { return one.compare(0, name.size() + 1, name + "=") == 0; }),
              env.end());
    env.push_back(name + "=" + scratch + folder);
  };
  in_scratch("HOME", "");
  in_scratch("TMPDIR", "");
  in_scratch("XDG_CACHE_HOME", "/cache");
  in_scratch("TRITON_CACHE_DIR", "/cache/triton");
  in_scratch("TORCHINDUCTOR_CACHE_DIR", "/cache/inductor");
  in_scratch("TORCH_EXTENSIONS_DIR", "/cache/extensions");
  in_scratch("CUDA_CACHE_PATH", "/cache/cuda");
  return env;
}

}  // namespace pawl
