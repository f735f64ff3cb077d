// What DeviceWatch makes of a request, without a device: `check-device-watch EVENT_MS BUSY_MS… -- RESTED_MS…` prints
// whether it suspects the kernel, and what it reports in the end.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "device_watch.hpp"

void pawl::TimedGuard::found(const char *detector, std::string) { std::printf(" %s", detector); }

int main(int count, char **arguments) {
  pawl::DeviceWatch watch;
  bool rested = false;
  for (int i = 2; i < count; ++i) {
    if (std::strcmp(arguments[i], "--") == 0) {
      std::printf("%s", watch.suspects() ? "suspects" : "trusts");
      rested = true;
      continue;
    }
    pawl::RunOutcome outcome;
    outcome.inside_ms = std::atof(arguments[1]);
    outcome.busy_after_ms = std::atof(arguments[i]);
    if (rested)
      watch.add_rested(outcome);
    else
      watch.add(outcome);
  }
  // Nothing of it is used but found(), above.
  alignas(pawl::TimedGuard) static unsigned char memory[sizeof(pawl::TimedGuard)];
  watch.report(*reinterpret_cast<pawl::TimedGuard *>(memory));
}
