#pragma once

#include <string>
#include <vector>

namespace pawl {

/** The one folder that a candidate may write to: its temporary files, its home and its caches. Gone when it is. */
class ScratchFolder {
 public:
  ScratchFolder() = default;
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  ~ScratchFolder();

  /** Also removes those of judges that were killed. */
  void create();
  /** Empty before `create`. */
  const std::string &path() const { return path_; }
  /**
   * This process's environment, with the folders that programs write to inside the scratch folder, and as many threads
   * for the libraries that ask there as the candidate has CPUs; 0: as many as they like.
   */
  std::vector<std::string> environment(std::size_t threads) const;

 private:
  std::string path_;
};

}  // namespace pawl
