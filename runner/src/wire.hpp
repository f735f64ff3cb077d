#pragma once

#include <optional>
#include <string>
#include <vector>

#include "json.hpp"

namespace pawl {

/** One message between judge and candidate, and the memory it hands over. */
struct Parcel {
  Json body;
  /** A descriptor that the receiver owns, or -1. */
  int descriptor = -1;
};

/**
 * One end of the socket between a judge and its candidate: a length, then JSON, and sometimes a descriptor.
 * The judge reads it as it would read a stranger's letter: the length is bounded, and the text need not be JSON.
 */
class Wire {
 public:
  /** Owns the socket. */
  explicit Wire(int socket) : socket_(socket) {}
  Wire(const Wire &) = delete;
  Wire &operator=(const Wire &) = delete;
  ~Wire();

  int socket() const { return socket_; }
  /** False when the other end is gone. */
  bool send(const Json &body, int descriptor = -1);
  /** Nothing when the other end is gone. Throws JsonError for what is not a message. */
  std::optional<Parcel> receive();

 private:
  int socket_;
};

}  // namespace pawl
