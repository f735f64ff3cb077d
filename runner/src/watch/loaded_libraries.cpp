#include "loaded_libraries.hpp"

#include <cctype>
#include <cstring>

#include "elf_file.hpp"
#include "proc.hpp"

namespace pawl {
namespace {

struct Family {
  const char *name;
  /** How a file's name starts, after "lib". */
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

/** After "::", a space, or at the start: not in the middle of somebody's own name. */
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

std::set<std::string> mapped_files(int pid) {
  std::set<std::string> files;
  for (const std::string &line : lines_of(read_proc("/proc/" + std::to_string(pid) + "/maps").value_or("")))
    if (const std::size_t at = line.find('/'); at != std::string::npos) files.insert(line.substr(at));
  return files;
}

std::set<std::string> mathematics_in(const std::set<std::string> &files) {
  std::set<std::string> found;
  for (const std::string &file : files)
    if (const std::string family = family_of_file(file); !family.empty()) found.insert(family);
  return found;
}

std::set<std::string> linked_mathematics(const std::string &path, const std::set<std::string> &mapped) {
  std::set<std::string> families, seen;
  std::vector<std::string> left{path};
  while (!left.empty()) {
    const ElfFile file = read_elf(left.back());
    left.pop_back();
    for (const std::string &name : file.needed) {
      if (!seen.insert(name).second) continue;
      if (const std::string family = family_of_file(name); !family.empty()) families.insert(family);
      // The loader has found it already: its path ends with the name, or with what the name is a link to.
      const std::string stem = name.substr(0, name.find(".so"));
      for (const std::string &other : mapped)
        if (const std::string base = other.substr(other.rfind('/') + 1); base == name || base.rfind(stem + ".so", 0) == 0) {
          left.push_back(other);
          break;
        }
    }
  }
  return families;
}

std::string library_of_function(const std::string &name) {
  // cuBLAS's kernels are named after the architecture and the shape of their tile, or "nvjet".
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
  for (const std::string &function : read_elf(path).functions)
    for (const char *name : TIMING_FUNCTIONS)
      if (function == name) replaced.push_back(name);
  return replaced;
}

}  // namespace pawl
