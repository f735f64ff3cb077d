#include "wire.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

namespace pawl {
namespace {

/** Far above any message: an answer with all settings of a process is some kilobytes. */
constexpr std::uint32_t MOST_BYTES = 4u << 20;

/** recv, not read: what a process reads is counted for `file-access`, and this is not a file. */
bool receive_all(int socket, char *data, std::size_t bytes) {
  for (std::size_t got = 0; got < bytes;) {
    const ssize_t part = recv(socket, data + got, bytes - got, 0);
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) return false;
    got += static_cast<std::size_t>(part);
  }
  return true;
}

}  // namespace

Wire::~Wire() { close(socket_); }

bool Wire::send(const Json &body, int descriptor) {
  std::string text(4, '\0');
  text += body.text();
  const auto length = static_cast<std::uint32_t>(text.size() - 4);
  std::memcpy(text.data(), &length, sizeof length);
  std::size_t sent = 0;
  while (sent < text.size()) {
    iovec part{text.data() + sent, text.size() - sent};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    if (descriptor >= 0 && sent == 0) {
      message.msg_control = control;
      message.msg_controllen = sizeof control;
      cmsghdr *header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof(int));
      std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    const ssize_t written = sendmsg(socket_, &message, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    sent += static_cast<std::size_t>(written);
  }
  return true;
}

std::optional<Parcel> Wire::receive() {
  Parcel parcel;
  std::uint32_t length = 0;
  iovec part{&length, sizeof length};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got = 0;
  do got = recvmsg(socket_, &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got <= 0) return std::nullopt;
  if (const cmsghdr *header = CMSG_FIRSTHDR(&message);
      header != nullptr && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
    std::memcpy(&parcel.descriptor, CMSG_DATA(header), sizeof parcel.descriptor);
  const auto first = static_cast<std::size_t>(got);
  if (first < sizeof length &&
      !receive_all(socket_, reinterpret_cast<char *>(&length) + first, sizeof length - first))
    return std::nullopt;
  if (length > MOST_BYTES) throw JsonError("a message of " + std::to_string(length) + " bytes");
  std::string text(length, '\0');
  if (!receive_all(socket_, text.data(), text.size())) return std::nullopt;
  parcel.body = Json::parse(text);
  return parcel;
}

}  // namespace pawl
