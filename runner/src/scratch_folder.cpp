#include "scratch_folder.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include <unistd.h>

#include "error.hpp"

extern char **environ;

namespace pawl {
namespace {

const char *const PREFIX = "pawl-scratch-";

std::string temporary_folder() {
  const char *folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder == '/' ? folder : "/tmp";
}

/** Folders are named after the judge that made them. Others' folders stay: removing them fails. */
void remove_stale(const std::string &parent) {
  std::error_code ignored;
  for (const auto &entry : std::filesystem::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind(PREFIX, 0) != 0) continue;
    const long pid = std::strtol(name.c_str() + std::strlen(PREFIX), nullptr, 10);
    if (pid > 0 && kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH)
      std::filesystem::remove_all(entry.path(), ignored);
  }
}

}  // namespace

void ScratchFolder::create() {
  const std::string parent = temporary_folder();
  remove_stale(parent);
  std::string path = parent + "/" + PREFIX + std::to_string(getpid()) + "-XXXXXX";
  if (mkdtemp(path.data()) == nullptr)
    throw RunnerError("internal", "no scratch folder could be made in " + parent + ": " + std::strerror(errno));
  path_ = path;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> ScratchFolder::environment(std::size_t threads) const {
  std::map<std::string, std::string> variables;
  for (char **entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (const char *equals = std::strchr(*entry, '='))
      variables[std::string(*entry, static_cast<std::size_t>(equals - *entry))] = equals + 1;
  if (!path_.empty()) {
    // Packages of `pip install --user` are found below the home that was.
    if (const auto home = variables.find("HOME"); home != variables.end() && variables.count("PYTHONUSERBASE") == 0)
      variables["PYTHONUSERBASE"] = home->second + "/.local";
    for (const char *name : {"TMPDIR", "HOME"}) variables[name] = path_;
    for (const char *name : {"TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "TORCH_EXTENSIONS_DIR", "CUDA_CACHE_PATH",
                             "XDG_CACHE_HOME", "MPLCONFIGDIR", "NUMBA_CACHE_DIR"})
      variables[name] = path_ + "/" + name;
    // Compiled modules are read where packages have them, and written nowhere.
    variables["PYTHONDONTWRITEBYTECODE"] = "1";
  }
  for (const char *name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"})
    if (threads > 0 && variables.count(name) == 0) variables[name] = std::to_string(threads);
  // torch.compile compiles in its own process then, and leaves no helpers behind.
  variables.emplace("TORCHINDUCTOR_COMPILE_THREADS", "1");
  std::vector<std::string> environment;
  for (const auto &[name, value] : variables) environment.push_back(name + "=" + value);
  return environment;
}

}  // namespace pawl
