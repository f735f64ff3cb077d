#include "loaded_libraries.hpp"

#include <cctype>
#include <cstring>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

namespace pawl {
namespace {

struct Family {
  const char *name;
  /** How a file's name starts, after «lib». */
  std::vector<const char *> prefixes;
};

/** Libraries that do what kernels are written to do. A compiler at run time (NVRTC) is none of them. */
const Family FAMILIES[] = {
    {"cublas", {"cublas"}},       {"cudnn", {"cudnn"}},       {"cutensor", {"cutensor"}},
    {"cusolver", {"cusolver"}},   {"cusparse", {"cusparse"}}, {"cufft", {"cufft"}},
    {"torch", {"torch", "c10"}},  {"mkl", {"mkl_"}},          {"openblas", {"openblas"}},
    {"blis", {"blis"}},           {"onednn", {"dnnl", "mkldnn"}},
    {"blas", {"blas.", "cblas.", "atlas.", "satlas.", "tatlas.", "flexiblas", "lapack", "armpl"}},
    {"fftw", {"fftw"}},
};

std::string family_of_file(const std::string &path) {
  const std::string file = path.substr(path.rfind('/') + 1);
  if (file.rfind("lib", 0) != 0 || file.find(".so") == std::string::npos) return "";
  for (const Family &family : FAMILIES)
    for (const char *prefix : family.prefixes)
      if (file.compare(3, std::strlen(prefix), prefix) == 0) return family.name;
  return "";
}

/** The link map of a library that is loaded already; loads nothing. */
const link_map *map_of(const std::string &path) {
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (handle == nullptr) return nullptr;
  link_map *map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) map = nullptr;
  dlclose(handle);  // the count that NOLOAD raised; whoever loaded it keeps it
  return map;
}

/** DT_NEEDED: the names of what a file was linked against. */
std::vector<std::string> needed_by(const link_map *map) {
  std::vector<std::string> names;
  const char *strings = nullptr;
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char *>(entry->d_un.d_ptr);
  for (const ElfW(Dyn) *entry = map->l_ld; strings != nullptr && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_NEEDED) names.push_back(strings + entry->d_un.d_val);
  return names;
}

/** After «::», a space, or at the start: not in the middle of somebody's own name. */
bool has_word(const std::string &name, const char *word) {
  for (std::size_t at = name.find(word); at != std::string::npos; at = name.find(word, at + 1))
    if (at == 0 || (std::isalnum(static_cast<unsigned char>(name[at - 1])) == 0 && name[at - 1] != '_')) return true;
  return false;
}

const char *const TIMING_FUNCTIONS[] = {
    "clock_gettime",        "clock_getres",         "clock_nanosleep",       "clock",
    "gettimeofday",         "time",                 "times",                 "timespec_get",
    "nanosleep",            "usleep",               "sleep",                 "getrusage",
    "cudaEventRecord",      "cudaEventElapsedTime", "cudaEventSynchronize",  "cudaEventQuery",
    "cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaStreamQuery",     "cuEventRecord",
    "cuEventElapsedTime",   "cuEventSynchronize",   "cuStreamSynchronize",   "cuCtxSynchronize",
};

}  // namespace

std::set<std::string> loaded_mathematics() {
  std::set<std::string> found;
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *data) {
        const std::string family = family_of_file(info->dlpi_name != nullptr ? info->dlpi_name : "");
        if (!family.empty()) static_cast<std::set<std::string> *>(data)->insert(family);
        return 0;
      },
      &found);
  return found;
}

std::set<std::string> linked_mathematics(const std::string &path) {
  std::set<std::string> families, seen;
  std::vector<const link_map *> left;
  if (const link_map *map = map_of(path)) left.push_back(map);
  while (!left.empty()) {
    const link_map *map = left.back();
    left.pop_back();
    for (const std::string &name : needed_by(map)) {
      if (!seen.insert(name).second) continue;
      if (const std::string family = family_of_file(name); !family.empty()) families.insert(family);
      if (const link_map *next = map_of(name)) left.push_back(next);
    }
  }
  return families;
}

std::string library_of_function(const std::string &name) {
  // cuBLAS's kernels are named after the architecture and the shape of their tile, or «nvjet».
  if (has_word(name, "cublas") || has_word(name, "nvjet_") || name.find("_xmma_gemm_") != std::string::npos)
    return "cublas";
  for (const char *architecture : {"maxwell_", "volta_", "turing_", "ampere_"})
    if (name.rfind(architecture, 0) == 0 && name.find("gemm_") != std::string::npos) return "cublas";
  if (has_word(name, "cudnn")) return "cudnn";
  if (has_word(name, "cutensor")) return "cutensor";
  if (has_word(name, "cusolver")) return "cusolver";
  if (has_word(name, "at::native")) return "torch";
  return "";
}

std::vector<std::string> replaced_timing_functions(const std::string &path) {
  std::vector<std::string> replaced;
  const link_map *map = map_of(path);
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (map == nullptr || handle == nullptr) return replaced;
  for (const char *name : TIMING_FUNCTIONS) {
    void *address = dlsym(handle, name);
    Dl_info where{};
    // The handle's dependencies are searched as well: only what lies in the file itself counts.
    if (address != nullptr && dladdr(address, &where) != 0 &&
        reinterpret_cast<ElfW(Addr)>(where.dli_fbase) == map->l_addr)
      replaced.push_back(name);
  }
  dlclose(handle);
  return replaced;
}

}  // namespace pawl
