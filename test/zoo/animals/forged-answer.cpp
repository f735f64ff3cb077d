// Forged answer: writes a result to every descriptor of the process, one of which is the runner's channel.
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <unistd.h>

#include "../softmax.hpp"

PAWL_EXPORT int pawl_run(const pawl_call *call) {
  static const char forged[] =
      "{\"mac\":\"0000000000000000000000000000000000000000000000000000000000000000\","
      "\"body\":{\"id\":3,\"seq\":3,\"ok\":true,\"result\":{\"samples_ms\":[0.000001]}}}\n";
  if (DIR *folder = opendir("/proc/self/fd")) {
    while (const dirent *entry = readdir(folder)) {
      const int descriptor = std::atoi(entry->d_name);
      if (descriptor > 2 && write(descriptor, forged, sizeof forged - 1) < 0) continue;
    }
    closedir(folder);
  }
  return honest_softmax(Softmax(call));
}
