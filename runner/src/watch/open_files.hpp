#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace pawl {

/** Files, shared memory and sockets that this process holds open or has mapped shared, by what they are called. */
std::set<std::string> held_files();

/** Bytes that went through read and write calls of this process so far; absent where the system does not count. */
std::optional<std::uint64_t> transferred_bytes();

/**
 * While it lives, what is printed goes to memory, so that its bytes can be told from those of files; at the end it
 * is passed on to where it was going.
 */
class PrintedAside {
 public:
  PrintedAside();
  PrintedAside(const PrintedAside &) = delete;
  PrintedAside &operator=(const PrintedAside &) = delete;
  ~PrintedAside();

  /** False when it could not be arranged; nothing is redirected then. */
  bool active() const { return memory_ >= 0; }
  std::uint64_t bytes() const;

 private:
  int memory_ = -1;
  int saved_[2] = {-1, -1};
};

}  // namespace pawl
