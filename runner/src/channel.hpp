#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "json.hpp"
#include "sha256.hpp"

namespace pawl {

/** The two descriptors that only the runner uses, and the key that authenticates what it writes. */
class Channel {
 public:
  /**
   * Takes over the descriptors: they move to random high numbers that are closed on exec, and the originals
   * are closed. Throws std::runtime_error when they are not open.
   */
  Channel(int requests, int answers);
  Channel(const Channel &) = delete;
  Channel &operator=(const Channel &) = delete;

  /** Ends the process when no reader of its answers is left, even while a kernel hangs. */
  void end_process_with_reader() const;

  /** The next line, or nothing at the end of the requests. A line that is too long reads as empty. */
  std::optional<std::string> read_line();
  bool has_key() const { return key_.has_value(); }
  void set_key(const Key &key) { key_ = key; }
  void answer(std::int64_t id, Json result);
  void answer_error(std::int64_t id, const std::string &code, const std::string &message);

 private:
  int requests_;
  int answers_;
  std::int64_t seq_ = 0;
  std::optional<Key> key_;
  std::string buffer_;

  void send(Json body);
};

}  // namespace pawl
