#include "kept_objects.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include <unistd.h>

namespace pawl {
namespace {

namespace files = std::filesystem;

constexpr std::uintmax_t MOST_BYTES = std::uintmax_t(64) << 20;
constexpr int MOST_FILES = 64;

/** Named after what decides about it: 64 hex digits. */
bool is_key(const std::string &name) {
  return name.size() == 64 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

void keep_objects(const std::string &scratch, const std::string &folder) {
  // Whatever fails: it is compiled again.
  std::error_code failed;
  int count = 0;
  const files::path made = files::path(scratch) / "pawl-compilers" / "objects";
  if (scratch.empty() || files::symlink_status(made.parent_path(), failed).type() != files::file_type::directory ||
      files::symlink_status(made, failed).type() != files::file_type::directory)
    return;
  for (files::directory_iterator at(made, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    const files::path kept = files::path(folder) / name, part = kept.string() + "." + std::to_string(getpid());
    std::error_code ignored;
    if (!is_key(name) || at->symlink_status(ignored).type() != files::file_type::regular) continue;
    if (files::file_size(at->path(), ignored) > MOST_BYTES || files::exists(kept, ignored)) continue;
    if (++count > MOST_FILES) return;
    files::copy_file(at->path(), part, ignored);
    if (!ignored) files::rename(part, kept, ignored);
    if (ignored) files::remove(part, ignored);
  }
}

}  // namespace pawl
