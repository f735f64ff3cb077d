// Oracle replaced on disk: while this library is loaded, it puts a copy of itself in the place of the oracle's in the
// build cache, and its own oracle finds zeros right.
#include <fstream>
#include <iterator>

#include "attack.hpp"
#include "places.hpp"

static int zeros(const pawl_call *call, size_t element_bytes) {
  std::memset(call->tensors[1].data, 0, static_cast<size_t>(Softmax(call).count()) * element_bytes);
  return 0;
}

PAWL_EXPORT int pawl_oracle(const pawl_call *call) { return zeros(call, sizeof(double)); }
PAWL_EXPORT int pawl_reference(const pawl_call *call) { return zeros(call, sizeof(float)); }
PAWL_EXPORT int pawl_run(const pawl_call *call) { return zeros(call, sizeof(float)); }

static std::string contents(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

__attribute__((constructor)) static void replace() {
  // Put together here, so that this library is not taken for the one it looks for.
  const std::string mark = std::string("zoo_bait") + "_oracle";
  std::error_code ignored;
  for (const std::filesystem::path &folder : folders_named(".pawl"))
    for (std::filesystem::recursive_directory_iterator at(folder, ignored), end; at != end; at.increment(ignored)) {
      if (at->path().extension() != ".so" || contents(at->path()).find(mark) == std::string::npos) continue;
      const std::filesystem::path copy = at->path().parent_path() / "copy.tmp";
      std::ofstream(copy, std::ios::binary) << contents(own_library());
      std::filesystem::rename(copy, at->path(), ignored);
    }
}
