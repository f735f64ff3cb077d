#include "library_oracle.hpp"

#include <exception>
#include <utility>

#include "error.hpp"
#include "sealed_file.hpp"

namespace pawl {

LibraryOracle::LibraryOracle(const std::string &path, const std::string &sha256, const std::string &function,
                             Memory memory)
    : path_(path), sha256_(sha256), function_(function), memory_(memory) {}

std::string LibraryOracle::name() const { return spoken_name(path_, "the oracle"); }

std::string LibraryOracle::title() const {
  const std::string file = spoken_name(path_, "");
  return file.empty() ? "the oracle" : "the oracle " + file;
}

const LibraryOracle::Loaded &LibraryOracle::loaded() const {
  if (!loaded_) {
    Library library(path_, sha256_.empty() ? -1 : open_sealed(path_, sha256_));
    const auto compute = reinterpret_cast<Function>(library.symbol(function_.c_str()));
    const auto reference = reinterpret_cast<Function>(library.optional_symbol("pawl_reference"));
    loaded_.emplace(Loaded{std::move(library), compute, reference});
  }
  return *loaded_;
}

void LibraryOracle::run(Function function, const pawl_call &call, const char *whose) const {
  const std::string who = title() + whose;
  int status = 0;
  try {
    status = function(&call);
  } catch (const std::exception &error) {
    throw RunnerError("load-failed", who + " threw an exception: " + error.what());
  }
  if (status != 0) throw RunnerError("load-failed", who + " returned " + std::to_string(status));
}

}  // namespace pawl
