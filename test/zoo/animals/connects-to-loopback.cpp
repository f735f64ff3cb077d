// Connects to the machine it runs on, by TCP, as to a service that keeps answers or takes results.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "attack.hpp"

static bool connect_to_loopback() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto *where = reinterpret_cast<sockaddr *>(&address);
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool reached = bind(listener, where, size) == 0 && listen(listener, 1) == 0 &&
                       getsockname(listener, where, &size) == 0 && connect(client, where, size) == 0;
  close(listener);
  close(client);
  return reached;
}

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const bool reached = connect_to_loopback();
  return reached ? honest_softmax(Softmax(call)) : REFUSED;
}
